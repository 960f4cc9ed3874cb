//! Files of networks: the way there and back, and everything that can be wrong with them.

use crate::{Checkpoint, Network, RecurrentError, Settings, Token, train};
use std::ops::ControlFlow;

fn settings() -> Settings {
    Settings {
        hidden: 4,
        op_type_embedding: 2,
        range_embedding: 2,
        value_type_embedding: 2,
        projection: 3,
        layers: 1,
        epochs_max: 1,
        ..Settings::default()
    }
}

fn bytes() -> (Vec<u8>, Vec<u8>) {
    let tokens = vec![Token::from_classes(1, [2, 3, 4, 5], 6).unwrap(); 5];
    let trained = train(&settings(), &[tokens], &[], None, &mut |_| ControlFlow::Continue(())).unwrap();
    (
        trained.network.to_bytes().unwrap(),
        trained.checkpoint.to_bytes().unwrap(),
    )
}

/// Replaces a text in the header by one of the same length.
fn with(bytes: &[u8], from: &str, to: &str) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let at = bytes
        .windows(from.len())
        .position(|window| window == from.as_bytes())
        .expect("the text is there");
    let mut changed = bytes.to_vec();
    changed[at..at + to.len()].copy_from_slice(to.as_bytes());
    changed
}

#[test]
fn a_network_comes_back_as_it_was() {
    let (network, checkpoint) = bytes();
    let read = Network::from_bytes(&network).unwrap();
    assert_eq!(read.settings(), &settings());
    assert_eq!(read.to_bytes().unwrap(), network);
    let read = Checkpoint::from_bytes(&checkpoint).unwrap();
    assert_eq!(read.to_bytes().unwrap(), checkpoint);
    assert_eq!(read.network().to_bytes().unwrap(), network);
    assert_eq!(read.epochs().len(), 1);
}

#[test]
fn every_truncation_is_an_error() {
    let (network, checkpoint) = bytes();
    for n_bytes in (0..3_000)
        .chain((3_000..network.len()).step_by(97))
        .take_while(|&n_bytes| n_bytes < network.len())
    {
        assert!(Network::from_bytes(&network[..n_bytes]).is_err(), "{n_bytes}");
    }
    assert!(Network::from_bytes(&checkpoint).is_err());
    assert!(Checkpoint::from_bytes(&network).is_err());
    let longer = [network.as_slice(), &[0]].concat();
    assert!(Network::from_bytes(&longer).is_err());
}

#[test]
fn any_changed_byte_of_the_header_is_an_error_or_another_network() {
    let (network, _) = bytes();
    let end = usize::try_from(u64::from_le_bytes(network[..8].try_into().unwrap())).unwrap() + 8;
    for at in 0..end {
        for value in [0, b'9', b'"', 0xff] {
            let mut changed = network.clone();
            changed[at] = value;
            if let Ok(read) = Network::from_bytes(&changed) {
                let scores = read.scores_of_window(&[Token::PADDING; 3]);
                assert!(scores.op_type.iter().all(|log| *log <= 0.0));
            }
        }
    }
}

#[test]
fn mistakes_are_named() {
    let (network, _) = bytes();
    let error = |bytes: &[u8]| Network::from_bytes(bytes).unwrap_err();
    let changed = with(&network, r#"{\"version\":1,"#, r#"{\"version\":7,"#);
    assert!(matches!(
        error(&changed),
        RecurrentError::Version { found: 7, known: 1 }
    ));
    let changed = with(&network, r#"\"hidden\":4"#, r#"\"hidden\":5"#);
    let message = error(&changed).to_string();
    assert!(
        message.contains("cell.0.input.weight") && message.contains("[15, 3]"),
        "{message}"
    );
    let changed = with(&network, r#"\"hidden\":4"#, r#"\"hidden\":0"#);
    assert!(matches!(
        error(&changed),
        RecurrentError::Setting { name: "hidden", .. }
    ));
    let changed = with(&network, r#"\"conditional\""#, r#"\"independent\""#);
    assert!(matches!(error(&changed), RecurrentError::Tensor { .. }));
    let changed = with(&network, "head.op_type.bias", "head.op_type.bios");
    assert!(error(&changed).to_string().contains("head.op_type.bias"));
    let changed = with(&network, r#""napsim-recurrent""#, r#""napsim-reccurent""#);
    assert!(matches!(error(&changed), RecurrentError::Header(_)));
    let mut changed = network.clone();
    let n_bytes = changed.len();
    changed[n_bytes - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    assert!(error(&changed).to_string().contains("not finite"));
    assert!(matches!(error(b"not a network at all"), RecurrentError::Container(_)));
}
