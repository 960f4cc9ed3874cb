//! Money is exact, and the budget holds.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use napsim_remote::ledger::{Budget, BudgetError, Ledger, Spent, TokenUse};
use napsim_remote::money::Money;
use napsim_remote::price::Prices;
use proptest::prelude::*;

const LIST: &str = r#"
currency = "USD"
date = 2026-11-30
[models."dear"]
input = 1.0
output = 10.0
[models."free/*"]
input = 0
output = 0
"#;

fn prices() -> Prices {
    Prices::read(LIST, "prices.toml").unwrap()
}

fn money(text: &str) -> Money {
    text.parse().unwrap()
}

fn tokens(input: u64, output: u64) -> TokenUse {
    TokenUse {
        input,
        output,
        ..TokenUse::default()
    }
}

fn never() -> bool {
    false
}

fn ledger(budget: Budget) -> Ledger {
    Ledger::new(prices(), budget, Spent::default())
}

const DOLLAR: Budget = Budget {
    money: Some(Money::from_millionths_of_millionths(1_000_000_000_000)),
    tokens: None,
};

#[test]
fn what_calls_cost_is_counted_apart_from_what_was_saved_and_may_be_lost() {
    let ledger = ledger(DOLLAR);
    let call = ledger.reserve("dear", tokens(100, 50), &never).unwrap();
    assert_eq!(call.settle(tokens(100, 3)), Some(money("0.00013")));
    ledger.reserve("dear", tokens(100, 50), &never).unwrap().lost();
    drop(ledger.reserve("dear", tokens(7, 7), &never).unwrap());
    ledger.count_cached("dear", tokens(1000, 0));
    let spent = ledger.snapshot();
    let expected = Spent {
        calls: 1,
        tokens: tokens(100, 3),
        priced: money("0.00013"),
        unpriced_calls: 0,
        unconfirmed_calls: 1,
        unconfirmed_tokens: tokens(100, 50),
        unconfirmed_money: money("0.0006"),
        cached_calls: 1,
        saved_tokens: tokens(1000, 0),
        saved_money: money("0.001"),
    };
    assert_eq!(spent, expected);
    let json = serde_json::to_string(&spent).unwrap();
    assert_eq!(serde_json::from_str::<Spent>(&json).unwrap(), spent);
}

#[test]
fn a_run_goes_on_from_what_was_spent_before() {
    let before = Spent {
        priced: money("0.9"),
        unconfirmed_money: money("0.05"),
        ..Spent::default()
    };
    let ledger = Ledger::new(prices(), DOLLAR, before);
    // 0.05 are left: 50,000 input tokens.
    let call = ledger.reserve("dear", tokens(50_000, 0), &never).unwrap();
    call.settle(tokens(50_000, 0));
    let error = ledger.reserve("dear", tokens(1, 0), &never).unwrap_err();
    let message = "stay within the budget: 1.00 of 1.00 USD are used, and a call of dear could need 0.000001";
    assert_eq!(error.to_string(), message);
    assert!(ledger.reserve("free/any", tokens(1, 1), &never).is_ok());
    let unpriced = ledger.reserve("other", tokens(1, 0), &never);
    assert!(matches!(unpriced, Err(BudgetError::NoPrice { .. })));
}

#[test]
fn tokens_can_be_bounded_without_prices() {
    let budget = Budget {
        money: None,
        tokens: Some(100),
    };
    let ledger = Ledger::new(Prices::default(), budget, Spent::default());
    assert_eq!(
        ledger
            .reserve("any", tokens(60, 30), &never)
            .unwrap()
            .settle(tokens(60, 20)),
        None
    );
    let error = ledger.reserve("any", tokens(15, 6), &never).unwrap_err();
    let message = "stay within the budget: 80 of 100 tokens are used, and a call of any could need 21";
    assert_eq!(error.to_string(), message);
    assert!(ledger.reserve("any", tokens(15, 5), &never).is_ok());
    assert_eq!(ledger.snapshot().money(), None);
}

#[test]
fn waiting_ends_when_others_do() {
    let ledger = ledger(DOLLAR);
    let all = ledger.reserve("dear", tokens(1_000_000, 0), &never).unwrap();
    let asked = AtomicU64::new(0);
    thread::scope(|scope| {
        let waiter = scope.spawn(|| {
            let ask = || {
                asked.fetch_add(1, Ordering::SeqCst);
                false
            };
            ledger
                .reserve("dear", tokens(900_000, 0), &ask)
                .map(|call| call.settle(tokens(1, 0)))
        });
        while asked.load(Ordering::SeqCst) < 2 && !waiter.is_finished() {
            thread::yield_now();
        }
        drop(all);
        assert_eq!(waiter.join().unwrap(), Ok(Some(money("0.000001"))));
    });
    assert_eq!(ledger.snapshot().calls, 1);
}

#[test]
fn waiting_ends_when_the_run_does_or_nothing_can_be_left() {
    let ledger = ledger(DOLLAR);
    let part = ledger.reserve("dear", tokens(600_000, 0), &never).unwrap();
    let is_over = AtomicBool::new(false);
    thread::scope(|scope| {
        let stopped = scope.spawn(|| ledger.reserve("dear", tokens(500_000, 0), &|| is_over.load(Ordering::SeqCst)));
        is_over.store(true, Ordering::SeqCst);
        assert_eq!(stopped.join().unwrap().err(), Some(BudgetError::Stopped));
        let spent = scope.spawn(|| ledger.reserve("dear", tokens(500_000, 0), &never));
        part.settle(tokens(600_000, 0));
        assert!(matches!(spent.join().unwrap(), Err(BudgetError::Spent { .. })));
    });
    // That could not fit whatever the others do.
    let _part = ledger.reserve("dear", tokens(100_000, 0), &never).unwrap();
    let error = ledger.reserve("dear", tokens(400_001, 0), &never);
    assert!(matches!(error, Err(BudgetError::Spent { .. })));
}

/// One call: its worst case, how much less it uses, and how it ends.
type Call = (u64, u64, u8, u8);

/// Lets 52 threads make calls, and checks at every moment that what is spent and held stays within the budget. Returns
/// what was spent.
fn spend(ledger: &Ledger, budget: Budget, calls: &[Call]) -> Spent {
    let held = Mutex::new((Money::ZERO, 0));
    let next = AtomicU64::new(0);
    let check = |held: (Money, u64)| {
        let spent = ledger.snapshot();
        let money = spent.priced + spent.unconfirmed_money + held.0;
        assert!(budget.money.is_none_or(|bound| money <= bound), "{money}");
        let tokens = spent.tokens.total() + spent.unconfirmed_tokens.total() + held.1;
        assert!(budget.tokens.is_none_or(|bound| tokens <= bound), "{tokens}");
    };
    thread::scope(|scope| {
        for _ in 0..52 {
            scope.spawn(|| {
                while let Some((input, output, share, end)) = calls
                    .get(usize::try_from(next.fetch_add(1, Ordering::SeqCst)).unwrap())
                    .copied()
                {
                    let worst = tokens(input, output);
                    let cost = prices().of("dear").unwrap().of(worst);
                    let Ok(call) = ledger.reserve("dear", worst, &never) else {
                        continue;
                    };
                    let hold = |is_more: bool| {
                        let mut held = held.lock().unwrap();
                        *held = match is_more {
                            true => (held.0 + cost, held.1 + worst.total()),
                            false => (held.0.less(cost), held.1 - worst.total()),
                        };
                        check(*held);
                    };
                    hold(true);
                    hold(false);
                    match end {
                        0 => drop(call),
                        1 => call.lost(),
                        _ => drop(call.settle(tokens(input, output * u64::from(share) / 255))),
                    }
                }
            });
        }
    });
    check((Money::ZERO, 0));
    ledger.snapshot()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn the_budget_holds_whatever_52_threads_do(
        calls in prop::collection::vec((0..2000_u64, 0..500_u64, any::<u8>(), 0..6_u8), 100..400),
        money in prop::option::of(1..1_000_000_u64),
        tokens in prop::option::of(1..200_000_u64),
    ) {
        let money = money.map(|millionths| Money::from_millionths_of_millionths(u128::from(millionths) * 1_000_000));
        let budget = Budget { money, tokens };
        let ledger = ledger(budget);
        let spent = spend(&ledger, budget, &calls);
        prop_assert!(spent.calls + spent.unconfirmed_calls <= calls.len() as u64);
        // Nothing is left set aside: all that is not used is there to be had.
        if let (Some(bound), None) = (money, tokens) {
            let rest = bound.less(spent.priced + spent.unconfirmed_money).millionths_of_millionths() / 1_000_000;
            let rest = TokenUse { input: u64::try_from(rest).unwrap(), ..TokenUse::default() };
            prop_assert!(ledger.reserve("dear", rest, &never).is_ok());
        }
    }

    #[test]
    fn sums_are_exact(
        price in (0..10_000_000_u64, 0..10_000_000_u64, 0..10_000_000_u64),
        uses in prop::collection::vec((0..1_u64 << 40, 0..1_u64 << 40, 0..1_u64 << 40), 1..50),
    ) {
        let decimal = |millionths: u64| format!("{}.{:06}", millionths / 1_000_000, millionths % 1_000_000);
        let list = format!(
            "currency = \"EUR\"\ndate = 2026-01-01\n[models.m]\ninput = {}\ncached_input = {}\noutput = {}\n",
            decimal(price.0), decimal(price.1), decimal(price.2),
        );
        let prices = Prices::read(&list, "p.toml").unwrap();
        let ledger = Ledger::new(prices, Budget::default(), Spent::default());
        let mut expected = 0_u128;
        for (fresh, cached, output) in &uses {
            let used = TokenUse { input: fresh + cached, cached_input: *cached, output: *output, reasoning: 0 };
            ledger.reserve("m", used, &never).unwrap().settle(used);
            let terms = [(fresh, price.0), (cached, price.1), (output, price.2)];
            expected += terms.map(|(tokens, price)| u128::from(*tokens) * u128::from(price)).iter().sum::<u128>();
        }
        prop_assert_eq!(ledger.snapshot().money(), Some(Money::from_millionths_of_millionths(expected)));
    }
}
