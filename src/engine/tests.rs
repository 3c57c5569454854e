use planner::units::{Currency, Money};
use project::Document;
use rust_decimal::Decimal;

use super::protocol::{Envelope, Failure, Message, Progress, Reply, Request, decode, encode};

fn there_and_back(message: &Message) -> Option<Message> {
    decode(&encode(message).unwrap())
}

#[test]
fn a_request_arrives_as_it_was_sent() {
    let request = Request::Solve(Box::new(Document::example()));
    let sent = Envelope { id: 7, request };
    assert_eq!(decode::<Envelope>(&encode(&sent).unwrap()), Some(sent));
}

#[test]
fn replies_arrive_as_they_were_sent() {
    let failure = Failure::with("config-syntax", [("line", "3".to_owned())]);
    for reply in [Ok(Reply::Project(Box::new(Document::example()))), Err(failure)] {
        let sent = Message::Reply { id: 9, reply: Box::new(reply) };
        assert_eq!(there_and_back(&sent), Some(sent));
    }
    let sent = Message::Progress { id: 1, progress: Progress { evaluated: 5, total: 1 << 40 } };
    assert_eq!(there_and_back(&sent), Some(sent));
}

#[test]
fn an_answer_arrives_as_it_was_sent() {
    let answer = planner::answer::solve(&Document::example().inputs().unwrap());
    let sent = Message::Reply { id: 2, reply: Box::new(Ok(Reply::Solved(Box::new(answer)))) };
    assert_eq!(there_and_back(&sent), Some(sent));
}

#[test]
fn money_keeps_its_cents() {
    let money = Money::new(Decimal::new(123_456_789_012, 2), Currency::Cny);
    assert_eq!(decode::<Money>(&encode(&money).unwrap()), Some(money));
}

#[test]
fn damaged_bytes_are_no_message_and_no_panic() {
    let whole = encode(&Message::Ready { build: "a".to_owned() }).unwrap();
    for end in 0..whole.len() {
        assert_eq!(decode::<Message>(&whole[..end]), None);
    }
    assert_eq!(decode::<Message>(&[&whole[..], &[0]].concat()), None);
    for first in 0..=255_u8 {
        // Whatever it means, it must not panic.
        drop(decode::<Envelope>(&[first, 255, 255, 255, 255, 15, 3, 200]));
    }
}
