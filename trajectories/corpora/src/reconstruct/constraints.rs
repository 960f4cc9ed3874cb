//! Which piece has to come before which, so that the order of work never shows in the result (spec 04, 2.6.2).

use napsim_sim::state::Property;
use napsim_trajectories::{Bounds, CellAddress};
use rustc_hash::{FxHashMap, FxHashSet};

use super::fills::{Drag, Drags};
use super::looks::Carried;
use super::piece::{Piece, Rule, Work};
use super::target::Target;

/// For each piece, the pieces that must come after it.
#[derive(Debug)]
pub(super) struct Constraints {
    pub successors: Vec<Vec<usize>>,
}

/// What a merge, drag or copy has to do with a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Role {
    MergeAnchor,
    MergeInterior,
    /// An inner cell of a merged range where the target shows nothing of the piece's property.
    MergeErased,
    DragSource,
    DragFilled,
    CopySource,
    CopyTarget,
}

impl Constraints {
    /// The constraints among pieces.
    pub(super) fn of(target: &Target, pieces: &[Piece], carried: &Carried) -> Self {
        let mut successors = vec![Vec::new(); pieces.len()];
        let mut require = |before: usize, after: usize| {
            if let Some(list) = successors.get_mut(before)
                && before != after
            {
                list.push(after);
            }
        };
        let roles = roles(pieces);
        let drags = Drags::of(pieces);
        let bases = bases(pieces);
        for (idx, piece) in pieces.iter().enumerate() {
            let mut met: FxHashMap<usize, Vec<Role>> = FxHashMap::default();
            let mut under: FxHashSet<usize> = FxHashSet::default();
            if !(roles.is_empty() && bases.is_empty()) {
                for at in extent(piece).into_iter().flat_map(|bounds| bounds.cells()) {
                    for (other, role) in roles.get(&at).into_iter().flatten() {
                        let role = seen_by(target, piece, at, *role);
                        let roles = met.entry(*other).or_default();
                        if !roles.contains(&role) {
                            roles.push(role);
                        }
                    }
                    if let Work::Write(property) = piece.work {
                        under.extend(bases.get(&(property, at)).into_iter().flatten());
                    }
                }
            }
            // A base comes before whatever writes its exceptions; bases are made before their exceptions.
            let mut under: Vec<usize> = under.into_iter().filter(|base| *base < idx).collect();
            under.sort_unstable();
            for base in under {
                require(base, idx);
            }
            let mut met: Vec<(usize, Vec<Role>)> = met.into_iter().filter(|(other, _)| *other != idx).collect();
            met.sort_unstable();
            for (other, roles) in met {
                let Some(special) = pieces.get(other) else { continue };
                match relation(target, piece, special, &roles, carried, &drags) {
                    Some(Relation::PieceFirst) => require(idx, other),
                    Some(Relation::SpecialFirst) => require(other, idx),
                    None => {}
                }
            }
            if piece.under_next {
                require(idx, idx + 1);
            }
        }
        Self { successors }
    }
}

/// The cells that a piece reads or writes.
fn extent(piece: &Piece) -> Vec<Bounds> {
    match piece.work {
        Work::Copy { source, .. } => vec![piece.bounds, source],
        _ => vec![piece.bounds],
    }
}

/// What each merge, drag and copy has to do with each cell.
fn roles(pieces: &[Piece]) -> FxHashMap<CellAddress, Vec<(usize, Role)>> {
    let mut roles: FxHashMap<CellAddress, Vec<(usize, Role)>> = FxHashMap::default();
    for (idx, piece) in pieces.iter().enumerate() {
        let mut add = |at: CellAddress, role: Role| roles.entry(at).or_default().push((idx, role));
        match piece.work {
            Work::Write(_) => {}
            Work::Merge => {
                for at in piece.bounds.cells() {
                    let is_anchor = at == piece.bounds.first_cell();
                    add(
                        at,
                        if is_anchor {
                            Role::MergeAnchor
                        } else {
                            Role::MergeInterior
                        },
                    );
                }
            }
            Work::Drag(drag) => {
                for at in drag.destination.cells() {
                    let is_source = drag.source.contains_cell(at);
                    add(at, if is_source { Role::DragSource } else { Role::DragFilled });
                }
            }
            Work::Copy { source, .. } => {
                source.cells().for_each(|at| add(at, Role::CopySource));
                piece.bounds.cells().for_each(|at| add(at, Role::CopyTarget));
            }
        }
    }
    roles
}

/// The pieces that write an exception's cell before its own piece does.
fn bases(pieces: &[Piece]) -> FxHashMap<(Property, CellAddress), Vec<usize>> {
    let mut bases: FxHashMap<(Property, CellAddress), Vec<usize>> = FxHashMap::default();
    for (idx, piece) in pieces.iter().enumerate() {
        if let Work::Write(property) = piece.work {
            for at in &piece.exceptions {
                bases.entry((property, *at)).or_default().push(idx);
            }
        }
    }
    bases
}

/// What a role of a cell means to a piece.
fn seen_by(target: &Target, piece: &Piece, at: CellAddress, role: Role) -> Role {
    match (role, piece.work) {
        (Role::MergeInterior, Work::Write(property))
            if property != Property::Borders && target.look_at(at, property).is_none() =>
        {
            Role::MergeErased
        }
        _ => role,
    }
}

enum Relation {
    PieceFirst,
    SpecialFirst,
}

/// The order of a piece and a merge, drag or copy that it meets in these roles.
fn relation(
    target: &Target,
    piece: &Piece,
    special: &Piece,
    roles: &[Role],
    carried: &Carried,
    drags: &Drags,
) -> Option<Relation> {
    let has = |role: Role| roles.contains(&role);
    match special.work {
        Work::Merge => {
            // Merging empties all cells but the first and moves borders, so whatever stays comes afterwards.
            match piece.work {
                Work::Write(_) if piece.before_merges || has(Role::MergeErased) => Some(Relation::PieceFirst),
                Work::Write(property) => {
                    let stays = has(Role::MergeInterior) || property == Property::Borders;
                    stays.then_some(Relation::SpecialFirst)
                }
                Work::Copy { .. } => Some(Relation::SpecialFirst),
                Work::Merge | Work::Drag(_) => None,
            }
        }
        Work::Drag(drag) => match piece.work {
            Work::Write(Property::Value) => has(Role::DragSource).then_some(Relation::PieceFirst),
            // The other drag fills the source of this one; the reverse meeting is seen from the other side.
            Work::Drag(other) => {
                let feeds = has(Role::DragSource) && drag.source.cells().any(|at| fills(&other, at));
                feeds.then_some(Relation::PieceFirst)
            }
            Work::Write(property) => {
                if has(Role::DragSource) && !has(Role::DragFilled) {
                    let carries = drag.filled().any(|at| {
                        carried.properties.contains(&(property, at)) && piece.bounds.contains_cell(drag.source_of(at))
                    });
                    if carries {
                        return Some(Relation::PieceFirst);
                    }
                    if is_harmless(target, piece, property, &drag, drags) {
                        return None;
                    }
                }
                Some(Relation::SpecialFirst)
            }
            Work::Copy { .. } => Some(Relation::SpecialFirst),
            Work::Merge => None,
        },
        Work::Copy { contents, .. } => match piece.work {
            Work::Write(Property::Value) if !contents => None,
            Work::Write(Property::Value) => Some(if has(Role::CopySource) {
                Relation::PieceFirst
            } else {
                Relation::SpecialFirst
            }),
            Work::Write(property) if property != Property::NumberFormat => {
                has(Role::CopySource).then_some(Relation::PieceFirst)
            }
            // No copy brings number formats; merges, drags and other copies are looked at from their own side.
            Work::Write(_) | Work::Merge | Work::Drag(_) | Work::Copy { .. } => None,
        },
        Work::Write(_) => None,
    }
}

fn fills(drag: &Drag, at: CellAddress) -> bool {
    drag.destination.contains_cell(at) && !drag.source.contains_cell(at)
}

/// Whether what a piece writes on the source of a drag may as well be carried along by it.
fn is_harmless(target: &Target, piece: &Piece, property: Property, drag: &Drag, drags: &Drags) -> bool {
    property != Property::Borders
        && piece.rule != Rule::FirstThought
        && piece.exceptions.is_empty()
        && drag.filled().all(|at| {
            let source = drag.source_of(at);
            !piece.bounds.contains_cell(source)
                || (target.shows_same(source, at, property) && drags.go_no_further(target, at, property))
        })
}

impl Constraints {
    /// Makes room for first thoughts: each needs whatever the piece needs in whose place it stands, and comes before it.
    ///
    /// `places` are those pieces, in the order in which their first thoughts are appended.
    pub(super) fn inherit(&mut self, places: &[usize]) {
        let first_new = self.successors.len();
        let thoughts: FxHashMap<usize, usize> = places.iter().copied().zip(first_new..).collect();
        for list in &mut self.successors {
            let inherited: Vec<usize> = list.iter().filter_map(|of| thoughts.get(of).copied()).collect();
            list.extend(inherited);
        }
        self.successors.extend(places.iter().map(|of| vec![*of]));
    }
}
