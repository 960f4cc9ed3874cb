//! League tables.

use napsim_trajectories::Value;
use napsim_trajectories::range::column_name;

use super::{Story, numbering};
use crate::generate::palette::Style;
use crate::generate::parts::{Column, Desk, area};
use crate::generate::words::{List, Term, place, words};

/// Teams with what they won and lost, and the points that come of it.
pub(in crate::generate) fn league(desk: &mut Desk) -> Story {
    let (row, col) = desk.origin();
    let title = format!("{} {}", desk.term(Term::League), place(&mut desk.draw, desk.language));
    let head = desk.title(row, col, 10, &title);
    let n_rows = desk.draw.between(6, 20);
    let n_played = desk.draw.between(5, 30);
    let (mut won, mut drawn, mut lost, mut scored, mut conceded) = (vec![], vec![], vec![], vec![], vec![]);
    for _ in 0..n_rows {
        let n_won = desk.draw.between(0, n_played);
        let n_drawn = desk.draw.between(0, n_played - n_won);
        won.push(Value::Int(n_won));
        drawn.push(Value::Int(n_drawn));
        lost.push(Value::Int(n_played - n_won - n_drawn));
        scored.push(Value::Int(n_won * 2 + n_drawn + desk.draw.between(0, 12)));
        conceded.push(Value::Int((n_played - n_won) * 2 + desk.draw.between(0, 9)));
    }
    let [wins, draws, losses, goals, against] = [3, 4, 5, 6, 7].map(|idx| column_name(col + idx));
    let for_points = (wins.clone(), draws.clone());
    let teams = (0..n_rows)
        .map(|_| Value::text(place(&mut desk.draw, desk.language)))
        .collect();
    let per_win = desk.draw.pick(&[2, 3]).unwrap_or(3);
    let centered = Style::aligned("center");
    let columns = [
        Column::values(desk.term(Term::Rank), numbering(n_rows)).styled(centered),
        Column::values(desk.term(Term::Team), teams),
        Column::formula(desk.term(Term::Played), move |row| {
            format!("={wins}{row}+{draws}{row}+{losses}{row}")
        })
        .styled(centered),
        Column::values(desk.term(Term::Won), won).styled(centered),
        Column::values(desk.term(Term::Drawn), drawn).styled(centered),
        Column::values(desk.term(Term::Lost), lost).styled(centered),
        Column::values(desk.term(Term::Scored), scored).styled(centered),
        Column::values(desk.term(Term::Conceded), conceded).styled(centered),
        Column::formula(desk.term(Term::Difference), move |row| {
            format!("={goals}{row}-{against}{row}")
        })
        .styled(Style {
            format: Some("+0;-0;0"),
            ..centered
        }),
        Column::formula(desk.term(Term::Points), move |row| {
            format!("={per_win}*{}{row}+{}{row}", for_points.0, for_points.1)
        })
        .styled(Style { bold: true, ..centered }),
    ];
    let placed = desk.table(head, col, n_rows, &columns);
    if desk.draw.chance(45) {
        let last = (placed.first_row + desk.draw.between(0, 2)).min(placed.last_row);
        let leaders = area(placed.first_row, col, last, placed.last_col);
        desk.canvas.dress(leaders, &Style::filled("#E2EFDA"));
    }
    let remarks = words(List::Remarks, desk.language);
    if let Some(remark) = desk.draw.pick(&remarks).filter(|_| desk.draw.chance(45)) {
        desk.note(placed.below() + 1, col, 8, remark);
    }
    Story::new(
        title,
        "The table of a league after some rounds; games, difference and points are worked out.",
    )
}
