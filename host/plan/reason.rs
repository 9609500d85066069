//! A choice with its reasons: what was measured, the bound that it was held to, and what was rejected.

use std::borrow::Cow;
use std::fmt;

/// One measured figure against the bound that it was held to. Printed, for example,
/// `78.2 wedges an edge, at least 20`: the text is made when it is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// Whether the figure is within the bound.
    pub holds: bool,
    text: ReasonText,
}

#[derive(Debug, Clone, PartialEq)]
enum ReasonText {
    Plain(Cow<'static, str>),
    Compared { figure: ReasonFigure, what: &'static str, bound: Bound },
}

/// A number as it is printed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ReasonFigure {
    /// A whole number.
    Whole(u64),
    /// A quotient: its dividend and divisor.
    Quotient(f64, f64),
    /// A share of a whole, in per cent: the part and the whole.
    Percent(f64, f64),
}

/// The bound that a figure is held to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// The figure is to be at least this.
    AtLeast(ReasonFigure),
    /// The figure is to be at most this.
    AtMost(ReasonFigure),
    /// The figure is more than this, which was too much.
    Over(ReasonFigure),
    /// The figure is less than this, which was too little.
    Under(ReasonFigure),
}

impl fmt::Display for ReasonFigure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            ReasonFigure::Whole(number) => write!(f, "{number}"),
            ReasonFigure::Quotient(_, 0.0) => write!(f, "no"),
            ReasonFigure::Quotient(part, whole) => write!(f, "{:.1}", part / whole),
            ReasonFigure::Percent(_, 0.0) => write!(f, "0.0%"),
            ReasonFigure::Percent(part, whole) => write!(f, "{:.1}%", 100.0 * part / whole),
        }
    }
}

impl fmt::Display for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Bound::AtLeast(figure) => write!(f, "at least {figure}"),
            Bound::AtMost(figure) => write!(f, "at most {figure}"),
            Bound::Over(figure) => write!(f, "over {figure}"),
            Bound::Under(figure) => write!(f, "under {figure}"),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.text {
            ReasonText::Plain(text) => f.write_str(text),
            ReasonText::Compared { figure, what, bound } => write!(f, "{figure} {what}, {bound}"),
        }
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Reason {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut reason = serializer.serialize_struct("Reason", 2)?;
        reason.serialize_field("holds", &self.holds)?;
        reason.serialize_field("text", &self.to_string())?;
        reason.end()
    }
}

impl Reason {
    /// A fact that speaks for the choice if `holds`, and against it otherwise.
    pub fn new(holds: bool, text: impl Into<Cow<'static, str>>) -> Reason {
        Reason { holds, text: ReasonText::Plain(text.into()) }
    }

    /// A figure beside its bound.
    pub fn compared(holds: bool, figure: ReasonFigure, what: &'static str, bound: Bound) -> Reason {
        Reason { holds, text: ReasonText::Compared { figure, what, bound } }
    }

    /// A whole number that must not be too small.
    pub fn whole_at_least(number: u64, what: &'static str, least: u64) -> Reason {
        let bound = Bound::AtLeast(ReasonFigure::Whole(least));
        Reason::compared(number >= least, ReasonFigure::Whole(number), what, bound)
    }

    /// A whole number that must not be too large.
    pub fn whole_at_most(number: u64, what: &'static str, most: u64) -> Reason {
        let bound = Bound::AtMost(ReasonFigure::Whole(most));
        Reason::compared(number <= most, ReasonFigure::Whole(number), what, bound)
    }

    /// A share of a whole that must not be too small, in thousandths.
    pub fn share(part: u64, whole: u64, what: &'static str, least: u32) -> Reason {
        let holds = u128::from(part) * 1_000 >= u128::from(least) * u128::from(whole);
        let bound = Bound::AtLeast(ReasonFigure::Percent(f64::from(least), 1_000.0));
        Reason::compared(holds, ReasonFigure::Percent(part as f64, whole as f64), what, bound)
    }

    /// A quotient that must not be too small.
    pub fn at_least(part: u64, whole: u64, what: &'static str, least: u32) -> Reason {
        let holds = u128::from(part) >= u128::from(least) * u128::from(whole);
        let bound = Bound::AtLeast(ReasonFigure::Whole(least.into()));
        Reason::compared(holds, ReasonFigure::Quotient(part as f64, whole as f64), what, bound)
    }

    /// A quotient that must not be too large.
    pub fn at_most(part: impl Into<u128>, whole: u64, what: &'static str, most: u64) -> Reason {
        let part = part.into();
        let bound = Bound::AtMost(ReasonFigure::Whole(most));
        // Wedges are below 2⁹⁵, and no bound is above 2³².
        let holds = part <= u128::from(most) * u128::from(whole);
        Reason::compared(holds, ReasonFigure::Quotient(part as f64, whole as f64), what, bound)
    }

    /// A number that was estimated and must not be too large.
    pub fn real_at_most(number: f64, what: &'static str, most: f64) -> Reason {
        let bound = Bound::AtMost(ReasonFigure::Quotient(most, 1.0));
        Reason::compared(number <= most, ReasonFigure::Quotient(number, 1.0), what, bound)
    }

    /// Whether all of some reasons hold.
    pub fn all_hold(reasons: &[Reason]) -> bool {
        reasons.iter().all(|reason| reason.holds)
    }

    /// Turns the reason into one that speaks against a choice by keeping a bound: it is too small, or too large.
    pub fn against(self) -> Reason {
        let text = match self.text {
            ReasonText::Compared { figure, what, bound: Bound::AtMost(bound) } if self.holds => {
                ReasonText::Compared { figure, what, bound: Bound::Over(bound) }
            }
            text => text,
        };
        Reason { holds: false, text }
    }

    /// Turns the reason into one that decided by missing its bound.
    pub fn decided(self) -> Reason {
        let text = match self.text {
            ReasonText::Compared { figure, what, bound: Bound::AtMost(bound) } if !self.holds => {
                ReasonText::Compared { figure, what, bound: Bound::Over(bound) }
            }
            ReasonText::Compared { figure, what, bound: Bound::AtLeast(bound) } if !self.holds => {
                ReasonText::Compared { figure, what, bound: Bound::Under(bound) }
            }
            text => text,
        };
        Reason { holds: true, text }
    }
}

/// A choice that was not made.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Rejected {
    /// The name of the choice that was not made.
    pub name: &'static str,
    /// The reasons that spoke against it.
    pub because: Vec<Reason>,
}

/// A choice, why it was made, and what came before it in the order of the rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Chosen<T> {
    /// What to do.
    pub choice: T,
    /// The name of the choice.
    pub name: &'static str,
    /// What speaks for it; empty where nothing before it could be taken.
    pub because: Vec<Reason>,
    /// The choices that come earlier in the order of the rules, and were rejected.
    pub rejected: Vec<Rejected>,
    /// Bytes of device memory that it takes beside the graph, at most.
    pub bytes: u64,
}

/// A choice as it is printed: the question, the answer, and why.
#[derive(Debug, Clone, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct Decision {
    /// The question that was decided, for example `counting method`.
    pub question: &'static str,
    /// The choice that was made.
    pub choice: String,
    /// The reasons for the choice.
    pub because: Vec<Reason>,
    /// The choices that come earlier in the order of the rules, and what spoke against each.
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

/// Rules that are looked at one after the other: the first whose every reason holds, and whose memory is there, is taken.
pub struct Rules<T> {
    free: u64,
    rejected: Vec<Rejected>,
    taken: Option<Chosen<T>>,
}

impl<T> Rules<T> {
    /// Rules for what needs no memory.
    pub fn unbounded() -> Rules<T> {
        Rules::within(u64::MAX)
    }

    /// Rules for what has so many bytes of device memory beside the graph.
    pub fn within(free: u64) -> Rules<T> {
        Rules { free, rejected: Vec::new(), taken: None }
    }

    /// The next rule: a choice, the bytes that it takes, and what speaks for it or against it.
    pub fn rule(
        mut self,
        name: &'static str,
        choice: T,
        bytes: u64,
        mut because: Vec<Reason>,
    ) -> Rules<T> {
        if self.taken.is_some() {
            return self;
        }
        if bytes > self.free {
            because.push(Reason::whole_at_most(bytes, "bytes beside the graph", self.free));
        }
        if Reason::all_hold(&because) {
            let rejected = std::mem::take(&mut self.rejected);
            self.taken = Some(Chosen { choice, name, because, rejected, bytes });
        } else {
            self.reject(name, because);
        }
        self
    }

    /// Notes a choice that some of these reasons speak against.
    pub fn reject(&mut self, name: &'static str, mut because: Vec<Reason>) {
        because.retain(|reason| !reason.holds);
        self.rejected.push(Rejected { name, because });
    }

    /// The choice of the first rule that was taken, or else this one, for which nothing has to speak, and which takes no memory.
    pub fn or(self, name: &'static str, choice: T) -> Chosen<T> {
        self.otherwise(name, choice, 0, Vec::new())
    }

    /// The choice of the first rule that was taken, or else this one, for these reasons.
    pub fn otherwise(
        self,
        name: &'static str,
        choice: T,
        bytes: u64,
        because: Vec<Reason>,
    ) -> Chosen<T> {
        let rejected = self.rejected;
        self.taken.unwrap_or(Chosen { choice, name, because, rejected, bytes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_hold_on_the_bound_and_name_it() {
        let share = |part| Reason::share(part, 1_000, "of the edges are in groups", 125);
        let told = |reason: Reason| (reason.holds, reason.to_string());
        let text = |text: &str| text.to_owned();
        assert_eq!(
            told(share(125)),
            (true, text("12.5% of the edges are in groups, at least 12.5%"))
        );
        assert!(!share(124).holds);
        let wedges = |part| Reason::at_least(part, 10, "wedges an edge", 20);
        assert_eq!(told(wedges(200)), (true, text("20.0 wedges an edge, at least 20")));
        assert_eq!(told(wedges(199)), (false, text("19.9 wedges an edge, at least 20")));
        assert_eq!(told(wedges(199).decided()), (true, text("19.9 wedges an edge, under 20")));
        let most = |n| Reason::whole_at_most(n, "self-loops", 7);
        assert_eq!(told(most(7)), (true, text("7 self-loops, at most 7")));
        assert_eq!(told(most(8).decided()), (true, text("8 self-loops, over 7")));
        assert_eq!(
            told(Reason::at_least(5, 0, "wedges an edge", 1)).1,
            "no wedges an edge, at least 1"
        );
        let json = serde_json::to_string(&most(8)).unwrap();
        assert_eq!(json, r#"{"holds":false,"text":"8 self-loops, at most 7"}"#);
    }

    fn chosen(n: u64, free: u64) -> Chosen<char> {
        let large = vec![Reason::new(n > 9, "over 9"), Reason::new(true, "a number")];
        Rules::within(free)
            .rule("large", 'l', 2 * n, large)
            .rule("even", 'e', 1, vec![Reason::new(n.is_multiple_of(2), "even")])
            .otherwise("any", 'a', 0, vec![])
    }

    #[test]
    fn the_first_rule_that_holds_and_fits_is_taken() {
        let taken = |n, free| {
            let chosen = chosen(n, free);
            (chosen.choice, chosen.rejected.len(), chosen.bytes)
        };
        assert_eq!(taken(10, 20), ('l', 0, 20));
        assert_eq!(taken(10, 19), ('e', 1, 1));
        assert_eq!(taken(11, 21), ('a', 2, 0));
        assert_eq!(taken(9, 99), ('a', 2, 0));
        let rejected = &chosen(9, 99).rejected[0];
        assert_eq!(rejected.because, [Reason::new(false, "over 9")]);
        let full = &chosen(10, 19).rejected[0];
        assert_eq!(full.because[0].to_string(), "20 bytes beside the graph, at most 19");
    }
}
