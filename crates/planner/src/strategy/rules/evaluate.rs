//! Runs the parsed expressions. Whole numbers of 64 bits; what overflows, divides by zero or
//! leaves a remainder in `/` has no value. Truth is three-valued: `true || missing` is true.

use super::Proposal;
use super::types::{Op, Rule};

/// Places of the stack; the build refuses deeper expressions.
const DEPTH: usize = 12;

/// What a rule says of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Holds,
    Broken,
    /// A quantity that it needs is missing.
    Silent,
}

pub(super) fn check(rule: &Rule, proposal: &Proposal) -> Outcome {
    let applies = if rule.when.is_empty() { Some(1) } else { value(rule.when, proposal) };
    match applies {
        Some(0) => Outcome::Holds,
        None => Outcome::Silent,
        Some(_) => match value(rule.require, proposal) {
            Some(0) => Outcome::Broken,
            Some(_) => Outcome::Holds,
            None => Outcome::Silent,
        },
    }
}

/// The value of an expression.
pub(super) fn value(ops: &[Op], proposal: &Proposal) -> Option<i64> {
    let mut stack = Stack { places: [None; DEPTH], height: 0 };
    for op in ops {
        let result = match *op {
            Op::Int(number) => Some(i64::from(number)),
            Op::Fact(fact) => proposal.value(fact),
            Op::Given(fact) => Some(i64::from(proposal.is_stated(fact))),
            Op::Known(fact) => Some(i64::from(proposal.value(fact).is_some())),
            Op::Not => stack.pop().map(|value| i64::from(value == 0)),
            Op::If => {
                let (other, then, condition) = (stack.pop(), stack.pop(), stack.pop());
                condition.and_then(|condition| if condition == 0 { other } else { then })
            }
            _ => {
                let (right, left) = (stack.pop(), stack.pop());
                binary(*op, left, right)
            }
        };
        stack.push(result);
    }
    stack.pop()
}

fn binary(op: Op, left: Option<i64>, right: Option<i64>) -> Option<i64> {
    match (op, left, right) {
        (Op::And, Some(0), _) | (Op::And, _, Some(0)) => Some(0),
        (Op::And, Some(_), Some(_)) => Some(1),
        (Op::Or, Some(0), Some(0)) => Some(0),
        (Op::Or, Some(value), _) | (Op::Or, _, Some(value)) if value != 0 => Some(1),
        (Op::And | Op::Or, ..) => None,
        (op, Some(left), Some(right)) => arithmetic(op, left, right),
        _ => None,
    }
}

fn arithmetic(op: Op, left: i64, right: i64) -> Option<i64> {
    match op {
        Op::Add => left.checked_add(right),
        Op::Sub => left.checked_sub(right),
        Op::Mul => left.checked_mul(right),
        Op::Div => (left.checked_rem(right)? == 0).then(|| left.checked_div(right))?,
        Op::Rem => left.checked_rem_euclid(right),
        Op::Floor => left.checked_div_euclid(right),
        Op::Ceil => {
            let whole = left.checked_div_euclid(right)?;
            let rest = i64::from(left.checked_rem_euclid(right)? != 0);
            whole.checked_add(rest)
        }
        Op::Min => Some(left.min(right)),
        Op::Max => Some(left.max(right)),
        Op::Eq => Some(i64::from(left == right)),
        Op::Ne => Some(i64::from(left != right)),
        Op::Lt => Some(i64::from(left < right)),
        Op::Le => Some(i64::from(left <= right)),
        Op::Gt => Some(i64::from(left > right)),
        Op::Ge => Some(i64::from(left >= right)),
        Op::Int(_)
        | Op::Fact(_)
        | Op::Given(_)
        | Op::Known(_)
        | Op::And
        | Op::Or
        | Op::Not
        | Op::If => None,
    }
}

struct Stack {
    places: [Option<i64>; DEPTH],
    height: usize,
}

impl Stack {
    fn push(&mut self, value: Option<i64>) {
        if let Some(place) = self.places.get_mut(self.height) {
            *place = value;
            self.height += 1;
        }
    }

    fn pop(&mut self) -> Option<i64> {
        self.height = self.height.saturating_sub(1);
        self.places.get(self.height).copied().flatten()
    }
}
