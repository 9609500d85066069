//! A choice with its reasons: what was measured, the bound that it was held to, and what was rejected.

use serde::Serialize;

/// One measured figure against the bound that it was held to.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// Whether the figure is within the bound.
    pub holds: bool,
    /// Figure and bound, for example `78.2 wedges an edge, at least 20`.
    pub text: String,
}

impl Reason {
    /// A figure that speaks for the choice if `holds`, and against it otherwise.
    pub fn new(holds: bool, text: impl Into<String>) -> Reason {
        Reason { holds, text: text.into() }
    }

    /// A share of a whole, for example `12.5% of the edges are in groups, at least 12.5%`.
    pub fn share(part: u64, whole: u64, of: &str, at_least_permille: u32) -> Reason {
        let holds = u128::from(part) * 1_000 >= u128::from(at_least_permille) * u128::from(whole);
        Reason::new(
            holds,
            format!("{} {of}, at least {}", percent(part, whole), of_1000(at_least_permille)),
        )
    }

    /// A quotient that must not be too small, for example `78.2 wedges an edge, at least 20`.
    pub fn at_least(part: u64, whole: u64, of: &str, least: u32) -> Reason {
        let holds = u128::from(part) >= u128::from(least) * u128::from(whole);
        let bound = if least == u32::MAX { "never".into() } else { format!("at least {least}") };
        Reason::new(holds, format!("{} {of}, {bound}", quotient(part, whole)))
    }
}

/// A choice that was not made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Rejected {
    /// Its name.
    pub name: &'static str,
    /// What spoke against it.
    pub because: Vec<Reason>,
}

/// A choice, why it was made, and what came before it in the order of the rules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chosen<T> {
    /// What to do.
    pub choice: T,
    /// Its name.
    pub name: &'static str,
    /// What speaks for it; empty where nothing before it could be taken.
    pub because: Vec<Reason>,
    /// What was considered first.
    pub rejected: Vec<Rejected>,
    /// Bytes of device memory that it takes beside the graph, at most.
    pub bytes: u64,
}

/// A choice as it is printed: the question, the answer, and why.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Decision {
    /// What was to be chosen, for example `counting method`.
    pub question: &'static str,
    /// What was chosen.
    pub choice: String,
    /// What speaks for it.
    pub because: Vec<Reason>,
    /// What was considered first, and what spoke against it.
    pub rejected: Vec<Rejected>,
}

impl<T> Chosen<T> {
    /// The choice as it is printed.
    pub fn decision(&self, question: &'static str) -> Decision {
        Decision {
            question,
            choice: self.name.to_owned(),
            because: self.because.clone(),
            rejected: self.rejected.clone(),
        }
    }
}

/// A rule: a choice, when it is taken, and how much memory it takes.
pub(super) struct Rule<F, T> {
    pub name: &'static str,
    pub choice: fn(&F) -> T,
    /// All must hold.
    pub checks: fn(&F) -> Vec<Reason>,
    pub bytes: fn(&F) -> u64,
}

/// The first rule whose every check holds and whose memory is there.
///
/// # Panics
/// If none does: the last rule is to have no check.
pub(super) fn first<F, T>(rules: &[Rule<F, T>], facts: &F, free: u64) -> Chosen<T> {
    let mut rejected = Vec::new();
    let (last, before) = rules.split_last().expect("there are rules");
    for rule in before {
        let bytes = (rule.bytes)(facts);
        let mut reasons = (rule.checks)(facts);
        if bytes > free {
            reasons.push(Reason::new(
                false,
                format!("{bytes} bytes beside the graph, {free} are free"),
            ));
        }
        if reasons.iter().all(|reason| reason.holds) {
            let choice = (rule.choice)(facts);
            return Chosen { choice, name: rule.name, because: reasons, rejected, bytes };
        }
        reasons.retain(|reason| !reason.holds);
        rejected.push(Rejected { name: rule.name, because: reasons });
    }
    let because = (last.checks)(facts);
    let choice = (last.choice)(facts);
    Chosen { choice, name: last.name, because, rejected, bytes: (last.bytes)(facts) }
}

fn percent(part: u64, whole: u64) -> String {
    if whole == 0 { "0%".into() } else { format!("{:.1}%", part as f64 * 100.0 / whole as f64) }
}

fn of_1000(permille: u32) -> String {
    if permille > 1_000 {
        "more than all".into()
    } else {
        format!("{}%", f64::from(permille) / 10.0)
    }
}

fn quotient(part: u64, whole: u64) -> String {
    if whole == 0 { "no".into() } else { format!("{:.1}", part as f64 / whole as f64) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_hold_on_the_bound_and_name_it() {
        let share = |part| Reason::share(part, 1_000, "of the edges are in groups", 125);
        assert_eq!(
            share(125),
            Reason::new(true, "12.5% of the edges are in groups, at least 12.5%")
        );
        assert!(!share(124).holds);
        let wedges = |part| Reason::at_least(part, 10, "wedges an edge", 20);
        assert_eq!(wedges(200), Reason::new(true, "20.0 wedges an edge, at least 20"));
        assert!(!wedges(199).holds);
        let never = Reason::at_least(u64::MAX, 1 << 33, "wedges an edge", u32::MAX);
        assert_eq!(
            (never.holds, never.text.as_str()),
            (false, "2147483648.0 wedges an edge, never")
        );
    }

    const RULES: [Rule<u64, char>; 3] = [
        Rule {
            name: "large",
            choice: |_| 'l',
            checks: |&n| vec![Reason::new(n > 9, "over 9"), Reason::new(true, "a number")],
            bytes: |&n| 2 * n,
        },
        Rule {
            name: "even",
            choice: |_| 'e',
            checks: |&n| vec![Reason::new(n % 2 == 0, "even")],
            bytes: |_| 1,
        },
        Rule { name: "any", choice: |_| 'a', checks: |_| vec![], bytes: |_| 0 },
    ];

    #[test]
    fn the_first_rule_that_holds_and_fits_is_taken() {
        let taken = |n, free| {
            let chosen = first(&RULES, &n, free);
            (chosen.choice, chosen.rejected.len(), chosen.bytes)
        };
        assert_eq!(taken(10, 20), ('l', 0, 20));
        assert_eq!(taken(10, 19), ('e', 1, 1));
        assert_eq!(taken(11, 21), ('a', 2, 0));
        assert_eq!(taken(9, 99), ('a', 2, 0));
        let rejected = &first(&RULES, &9, 99).rejected[0];
        assert_eq!(rejected.because, [Reason::new(false, "over 9")]);
        let full = &first(&RULES, &10, 19).rejected[0];
        assert_eq!(full.because, [Reason::new(false, "20 bytes beside the graph, 19 are free")]);
    }
}
