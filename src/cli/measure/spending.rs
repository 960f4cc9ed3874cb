//! What asking language models over HTTP takes, in words and figures.

use napsim_remote::Exchange;
use napsim_remote::ledger::Spent;
use napsim_remote::money::Money;
use napsim_remote::price::Prices;
use napsim_reports::report::Cost;
use napsim_reports::table::count;

use crate::console;
use crate::exit::Failure;

/// Makes all answers durable, and finishes the recording of what `is_complete`.
pub(in crate::cli) fn finish(exchange: Option<&Exchange>, is_complete: bool) -> Result<(), Failure> {
    let Some(exchange) = exchange else { return Ok(()) };
    let recorded = exchange.finish(is_complete)?;
    if let Some(n) = recorded {
        let n = usize::try_from(n).unwrap_or(usize::MAX);
        console::say(&format!(
            "napsim: {} recorded",
            console::counted(n, "answer", "answers")
        ));
    }
    Ok(())
}

/// The cost by now in few words, for the line of progress.
pub(in crate::cli) fn so_far(exchange: &Exchange) -> String {
    let (spent, activity) = (exchange.spent(), exchange.activity());
    let mut text = format!("{} tokens", rounded(spent.tokens.total()));
    if let Some(money) = known_money(&spent, exchange.ledger().prices()) {
        text = format!("{} {money:.2}, {text}", exchange.ledger().prices().currency);
    }
    if activity.retries() > 0 {
        text.push_str(&format!(", {} retries", activity.retries()));
    }
    let n_waiting = activity.waiting_for_retries + activity.waiting_for_limits;
    if n_waiting > 0 {
        text.push_str(&format!(", {n_waiting} waiting"));
    }
    text
}

/// What a run has asked and what it took, in one sentence.
pub(in crate::cli) fn in_all(exchange: &Exchange) -> String {
    let (spent, activity) = (exchange.spent(), exchange.activity());
    let prices = exchange.ledger().prices();
    let before = exchange.spent_before();
    let now = spent.calls.saturating_sub(before.calls);
    let mut text = format!("asked {} times", count(now));
    if before.calls > 0 {
        text.push_str(&format!(" now and {} times before", count(before.calls)));
    }
    text.push_str(&format!(
        ", found {} answers that were kept; in all {} tokens read",
        count(spent.cached_calls),
        count(spent.tokens.input),
    ));
    if spent.tokens.cached_input > 0 {
        text.push_str(&format!(
            " ({} of them the provider had kept)",
            count(spent.tokens.cached_input)
        ));
    }
    text.push_str(&format!(", {} written", count(spent.tokens.output)));
    if spent.tokens.reasoning > 0 {
        text.push_str(&format!(" ({} of them reasoning)", count(spent.tokens.reasoning)));
    }
    if let Some(money) = known_money(&spent, prices) {
        text.push_str(&format!(
            "; cost {} {money:.4} at the prices of {}",
            prices.currency, prices.date
        ));
    }
    if spent.unconfirmed_calls > 0 {
        text.push_str(&format!(
            "; {} more calls brought no answer and may have been paid for",
            count(spent.unconfirmed_calls)
        ));
    }
    if activity.retries() > 0 {
        text.push_str(&format!("; {} retries", count(activity.retries())));
    }
    text
}

/// What a run has asked and what it took, for other programs.
pub(in crate::cli) fn cost(exchange: &Exchange) -> Cost {
    let spent = exchange.spent();
    let prices = exchange.ledger().prices();
    let money = known_money(&spent, prices);
    let known = |text: &str| money.map(|_| text.to_owned());
    Cost {
        calls: spent.calls,
        cached_calls: spent.cached_calls,
        unconfirmed_calls: spent.unconfirmed_calls,
        input_tokens: spent.tokens.input,
        cached_input_tokens: spent.tokens.cached_input,
        output_tokens: spent.tokens.output,
        reasoning_tokens: spent.tokens.reasoning,
        money: money.map(|money| money.to_string()),
        currency: known(&prices.currency),
        prices_of: known(&prices.date),
    }
}

/// The money spent, where there is a list of prices that has all models.
fn known_money(spent: &Spent, prices: &Prices) -> Option<Money> {
    spent.money().filter(|_| !prices.currency.is_empty())
}

/// A number of tokens in few digits.
pub(in crate::cli) fn rounded(tokens: u64) -> String {
    match tokens {
        0..10_000 => count(tokens),
        10_000..10_000_000 => format!("{}k", count(tokens / 1_000)),
        _ => format!("{}M", count(tokens / 1_000_000)),
    }
}
