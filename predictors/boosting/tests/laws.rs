//! Ensembles by hand and at random, without XGBoost: walking, bytes, and bytes that are no ensemble.

#![expect(
    clippy::indexing_slicing,
    clippy::unwrap_used,
    reason = "a test that finds something else has failed"
)]

use napsim_boosting::{Ensemble, LayoutError, Node, Objective, ShapeError, Tree, TreeError};
use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn split(column: u32, threshold: f32, missing_left: bool, left: u32, right: u32) -> Node {
    Node::Split {
        column,
        threshold,
        missing_left,
        left,
        right,
        gain: 1.5,
    }
}

fn leaf(value: f32) -> Node {
    Node::Leaf { value }
}

/// A random tree, lopsided more often than not.
fn random_tree(random: &mut ChaCha8Rng, n_columns: u32) -> Tree {
    let mut nodes = vec![leaf(random.random_range(-1.0..1.0))];
    for _ in 0..random.random_range(0..20) {
        let grown = random.random_range(0..nodes.len());
        let next = nodes.len() as u32;
        if let Node::Leaf { .. } = nodes[grown] {
            let threshold = random.random_range(-1.0..1.0);
            nodes[grown] = split(
                random.random_range(0..n_columns),
                threshold,
                random.random(),
                next,
                next + 1,
            );
            nodes.extend([
                leaf(random.random_range(-1.0..1.0)),
                leaf(random.random_range(-1.0..1.0)),
            ]);
        }
    }
    Tree { nodes }
}

fn random_ensemble(seed: u64, objective: Objective, n_columns: usize) -> (Vec<Tree>, Ensemble) {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let n_trees = objective.n_outputs() * random.random_range(0..12);
    let trees: Vec<_> = (0..n_trees)
        .map(|_| random_tree(&mut random, n_columns as u32))
        .collect();
    let ensemble = Ensemble::from_trees(objective, n_columns, random.random_range(-1.0..1.0), &trees).unwrap();
    (trees, ensemble)
}

/// The walk as the description has it, node by node.
fn plain_walk(tree: &Tree, row: &[f32]) -> f32 {
    let mut number = 0;
    loop {
        match tree.nodes[number as usize] {
            Node::Leaf { value } => return value,
            Node::Split {
                column,
                threshold,
                missing_left,
                left,
                right,
                ..
            } => {
                let value = row[column as usize];
                let goes_left = if value.is_nan() {
                    missing_left
                } else {
                    value < threshold
                };
                number = if goes_left { left } else { right };
            }
        }
    }
}

fn objectives() -> impl Strategy<Value = Objective> {
    prop_oneof![
        Just(Objective::Logistic),
        Just(Objective::SquaredError),
        (2..5_u32).prop_map(|n_classes| Objective::Softprob { n_classes }),
    ]
}

/// Any values, missing and infinite ones among them.
fn values() -> impl Strategy<Value = f32> {
    prop_oneof![
        -1.0_f32..1.0,
        Just(f32::NAN),
        Just(f32::INFINITY),
        Just(f32::NEG_INFINITY),
        Just(0.0)
    ]
}

proptest! {
    #[test]
    fn walks_are_those_of_the_description(
        (seed, objective) in (any::<u64>(), objectives()),
        rows in prop::collection::vec(prop::collection::vec(values(), 5), 0..150),
    ) {
        let (trees, ensemble) = random_ensemble(seed, objective, 5);
        let n_outputs = objective.n_outputs();
        let bytes = ensemble.to_bytes();
        let read = Ensemble::from_bytes(&bytes).unwrap();
        let mut together = vec![0.0; rows.len() * n_outputs];
        read.margins_of_rows(&rows.concat(), &mut together).unwrap();
        let base = bytes[20..24].try_into().map(f32::from_le_bytes).unwrap();
        for (row, together) in rows.iter().zip(together.chunks(n_outputs)) {
            let mut expected = vec![base; n_outputs];
            for (index, tree) in trees.iter().enumerate() {
                expected[index % n_outputs] += plain_walk(tree, row);
            }
            let mut alone = vec![0.0; n_outputs];
            ensemble.margins(row, &mut alone).unwrap();
            prop_assert_eq!(&alone, &expected);
            prop_assert_eq!(together, expected.as_slice());
        }
    }

    #[test]
    fn ensembles_come_back_from_their_bytes(seed: u64, objective in objectives(), n_columns in 1..300_usize) {
        let (_, ensemble) = random_ensemble(seed, objective, n_columns);
        let bytes = ensemble.to_bytes();
        prop_assert_eq!(bytes.len(), 24 + 8 * n_columns + 6 * ensemble.n_nodes());
        prop_assert_eq!(Ensemble::from_bytes(&bytes), Ok(ensemble));
    }

    /// Whatever is read would be written the same, and can be walked through.
    #[test]
    fn changed_bytes_are_refused_or_are_an_ensemble_of_their_own(
        seed: u64,
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..6),
        cut in prop::option::of(any::<prop::sample::Index>()),
    ) {
        let (_, ensemble) = random_ensemble(seed, Objective::SquaredError, 3);
        let mut bytes = ensemble.to_bytes();
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Some(cut) = cut {
            bytes.truncate(cut.index(bytes.len()));
        }
        if let Ok(read) = Ensemble::from_bytes(&bytes) {
            prop_assert_eq!(read.to_bytes(), bytes);
            let mut out = vec![0.0; read.n_outputs()];
            read.predict(&vec![f32::NAN; read.n_columns()], &mut out).unwrap();
        }
    }

    #[test]
    fn any_bytes_are_read_without_panic(head in any::<bool>(), bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let whole = if head { [b"NGBT\x01\0".as_slice(), &bytes].concat() } else { bytes };
        let _ = Ensemble::from_bytes(&whole);
    }
}

#[test]
fn two_classes_and_a_missing_value_by_hand() {
    let first = Tree {
        nodes: vec![split(1, 0.5, false, 2, 1), leaf(1.0), leaf(3.0)],
    };
    let second = Tree {
        nodes: vec![leaf(0.25)],
    };
    let objective = Objective::Softprob { n_classes: 2 };
    let ensemble = Ensemble::from_trees(objective, 2, 0.5, &[first, second]).unwrap();
    assert_eq!(
        (ensemble.n_trees(), ensemble.n_nodes(), ensemble.n_outputs()),
        (2, 4, 2)
    );
    assert_eq!(ensemble.importance(), [0.0, 1.0]);
    let check = |value: f32, expect: [f32; 2]| {
        let mut out = [0.0; 2];
        ensemble.margins(&[9.0, value], &mut out).unwrap();
        assert_eq!(out.map(f32::to_bits), expect.map(f32::to_bits), "of {value}");
        ensemble.predict(&[9.0, value], &mut out).unwrap();
        assert!((out[0] + out[1] - 1.0).abs() < 1e-6);
    };
    check(0.25, [3.5, 0.75]);
    check(0.5, [1.5, 0.75]);
    check(f32::NAN, [1.5, 0.75]);
}

#[test]
fn the_bytes_are_as_documented() {
    let tree = Tree {
        nodes: vec![split(1, 0.5, true, 1, 2), leaf(1.0), leaf(-1.0)],
    };
    let bytes = Ensemble::from_trees(Objective::SquaredError, 2, 0.5, &[tree])
        .unwrap()
        .to_bytes();
    let mut expected = b"NGBT\x01\0\x02\0\x01\0\0\0\x02\0\0\0\x01\0\0\0".to_vec();
    expected.extend(0.5_f32.to_le_bytes());
    expected.extend([0.0_f64, 1.5].iter().flat_map(|gain| gain.to_le_bytes()));
    for (column, value) in [(0x4001_u16, 0.5_f32), (0x8000, 1.0), (0x8000, -1.0)] {
        expected.extend(column.to_le_bytes());
        expected.extend(value.to_le_bytes());
    }
    assert_eq!(bytes, expected);
}

#[test]
fn descriptions_that_are_no_trees_are_refused() {
    let check = |nodes: &[Node], expect: TreeError| {
        let tree = Tree { nodes: nodes.to_vec() };
        let got = Ensemble::from_trees(Objective::SquaredError, 2, 0.0, &[tree]);
        assert_eq!(
            got,
            Err(LayoutError::Tree {
                index: 0,
                reason: expect
            })
        );
    };
    check(&[], TreeError::NoNode { node: 0 });
    check(&[split(0, 0.0, true, 1, 2), leaf(0.0)], TreeError::NoNode { node: 2 });
    check(&[split(0, 0.0, true, 0, 0)], TreeError::Tangled { node: 0 });
    check(&[split(0, 0.0, true, 1, 1), leaf(0.0)], TreeError::Tangled { node: 1 });
    check(
        &[split(2, 0.0, true, 1, 2)],
        TreeError::NoColumn {
            column: 2,
            n_columns: 2,
        },
    );
    check(&[leaf(f32::INFINITY)], TreeError::Value { value: f32::INFINITY });
    // A chain of splits with more nodes than have a number.
    let mut nodes = Vec::new();
    for level in 0..32_768_u32 {
        nodes.extend([split(0, 0.0, true, 2 * level + 2, 2 * level + 1), leaf(0.0)]);
    }
    nodes.push(leaf(0.0));
    check(&nodes, TreeError::TooLarge);
}

#[test]
fn heads_that_do_not_fit_are_refused() {
    let one = Tree { nodes: vec![leaf(0.0)] };
    let make = |objective, n_columns, base, n_trees: usize| {
        Ensemble::from_trees(objective, n_columns, base, &vec![one.clone(); n_trees]).map(|ensemble| ensemble.n_trees())
    };
    let three = Objective::Softprob { n_classes: 3 };
    assert_eq!(make(three, 1, 0.0, 6), Ok(6));
    assert_eq!(
        make(three, 1, 0.0, 4),
        Err(LayoutError::Outputs {
            n_trees: 4,
            n_outputs: 3
        })
    );
    assert_eq!(make(three, 0, 0.0, 3), Err(LayoutError::Columns { n_columns: 0 }));
    assert_eq!(
        make(three, 20_000, 0.0, 3),
        Err(LayoutError::Columns { n_columns: 20_000 })
    );
    assert_eq!(make(three, 1, f32::NAN, 3), Err(LayoutError::BaseMargin));
}

#[test]
fn rows_and_room_of_other_lengths_are_refused() {
    let ensemble = Ensemble::from_trees(Objective::Logistic, 2, 0.0, &[]).unwrap();
    let mut out = [0.0; 3];
    let row = ShapeError::Row { n_columns: 2, got: 3 };
    assert_eq!(ensemble.margins(&[0.0; 3], &mut out[..1]), Err(row));
    assert_eq!(ensemble.margins_of_rows(&[0.0; 3], &mut out), Err(row));
    let room = ShapeError::Out { expected: 2, got: 3 };
    assert_eq!(ensemble.margins_of_rows(&[0.0; 4], &mut out), Err(room));
}

#[test]
fn threads_may_share_an_ensemble() {
    fn check<T: Send + Sync>() {}
    check::<Ensemble>();
}
