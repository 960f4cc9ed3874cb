//! Things got wrong first and corrected later, as people do.

use napsim_sim::state::Property;
use napsim_trajectories::action::FontProperty;
use napsim_trajectories::{Action, Edit, Value};
use rand::Rng as _;
use rand_chacha::ChaCha8Rng;

use super::constraints::Constraints;
use super::order::Key;
use super::piece::{Piece, Rule, Work};
use super::target::SHEET_NAME;

/// The longest time until a correction, in pieces.
const DELAY_MAX: usize = 12;

/// Adds first thoughts: each takes the place of a piece in the order, and the piece itself comes some pieces later.
pub(super) fn add(
    pieces: &mut Vec<Piece>,
    keys: &mut Vec<Key>,
    constraints: &mut Constraints,
    permille: u32,
    rng: &mut ChaCha8Rng,
) {
    let mut in_order: Vec<usize> = (0..keys.len()).collect();
    in_order.sort_unstable_by_key(|idx| keys.get(*idx).copied());
    let own_keys = keys.clone();
    let mut places = Vec::new();
    for (place, idx) in in_order.iter().copied().enumerate() {
        if !rng.random_ratio(permille.min(1000), 1000) {
            continue;
        }
        let delay = 1 + rng.random_range(0..DELAY_MAX).min(rng.random_range(0..DELAY_MAX));
        let later = in_order.get(place + delay).or(in_order.last()).copied();
        let (Some(piece), Some(own), Some(later)) = (
            pieces.get(idx),
            own_keys.get(idx).copied(),
            later.and_then(|idx| own_keys.get(idx).copied()),
        ) else {
            continue;
        };
        let Some(edit) = first_thought(piece, rng) else {
            continue;
        };
        let mut thought = Piece {
            edit,
            rule: Rule::FirstThought,
            under_next: false,
            ..piece.clone()
        };
        thought.exceptions.clear();
        pieces.push(thought);
        keys.push(own);
        if let Some(key) = keys.get_mut(idx) {
            *key = later;
        }
        places.push(idx);
    }
    constraints.inherit(&places);
}

/// A wrong edit in place of a piece's own, if the piece is of a kind that people get wrong.
fn first_thought(piece: &Piece, rng: &mut ChaCha8Rng) -> Option<Edit> {
    let drawn = match (&piece.edit, piece.work) {
        (Edit::Input { value }, Work::Write(Property::Value)) if piece.bounds.n_cells() == 1 => Edit::Input {
            value: mistyped(value, rng)?,
        },
        (Edit::Fill { color: Some(color) }, _) => Edit::Fill {
            color: Some(other_of(&["#FFFF00", "#D9D9D9", "#BDD7EE", "#E2EFDA", "#FFF2CC"], color, rng)?.into()),
        },
        (Edit::Font { property, value }, _) => Edit::Font {
            property: *property,
            value: other_font(*property, value, rng)?,
        },
        (Edit::NumberFormat { format }, _) => Edit::NumberFormat {
            format: other_of(&["0", "0.00", "#,##0", "0%"], format, rng)?.into(),
        },
        (
            Edit::Align {
                axis: axis @ napsim_trajectories::action::Axis::Horizontal,
                value,
            },
            _,
        ) => Edit::Align {
            axis: *axis,
            value: other_of(&["left", "center", "right"], value, rng)?.into(),
        },
        _ => return None,
    };
    // What the notation would change on the way is no thought of anybody's.
    let range = napsim_trajectories::Range::from_bounds(SHEET_NAME.into(), piece.bounds);
    let action = Action::new(range, drawn);
    let read = Action::parse(&action.to_string()).ok()?;
    (read == action).then(|| action.edit().clone())
}

fn other_of<'a>(choices: &[&'a str], than: &str, rng: &mut ChaCha8Rng) -> Option<&'a str> {
    let choice = *choices.get(rng.random_range(0..choices.len()))?;
    (!choice.eq_ignore_ascii_case(than)).then_some(choice)
}

fn other_font(property: FontProperty, value: &Value, rng: &mut ChaCha8Rng) -> Option<Value> {
    match (property, value.as_number(), value) {
        (FontProperty::Size, Some(size), _) => {
            let other = size + if rng.random_ratio(1, 2) { 2.0 } else { -2.0 };
            (other > 4.0).then_some(Value::Float(other))
        }
        (FontProperty::Color, _, Value::Text(color)) => {
            other_of(&["#FF0000", "#0070C0", "#7F7F7F", "#C00000"], color, rng).map(Value::text)
        }
        _ => None,
    }
}

/// A slip of the fingers: two neighbouring letters or digits change places, or one is left out.
fn mistyped(value: &Value, rng: &mut ChaCha8Rng) -> Option<Value> {
    match value {
        Value::Text(text) if !text.starts_with('=') => {
            let mut letters: Vec<char> = text.chars().collect();
            if letters.len() < 4 {
                return None;
            }
            let idx = rng.random_range(1..letters.len() - 1);
            if rng.random_ratio(1, 2) {
                letters.swap(idx, idx + 1);
            } else {
                letters.remove(idx);
            }
            let slip: String = letters.into_iter().collect();
            (slip.trim() == slip && slip != **text).then(|| Value::text(slip))
        }
        Value::Int(number) if number.abs() >= 10 => {
            let mut digits: Vec<char> = number.to_string().chars().collect();
            let last = digits.len().checked_sub(1)?;
            digits.swap(last - 1, last);
            let slip: String = digits.into_iter().collect();
            slip.parse().ok().filter(|slip| slip != number).map(Value::Int)
        }
        _ => None,
    }
}
