//! The small language of `data/rules.toml`: integers, quantities, `+ - * / %`, comparisons,
//! `&& || !`, parentheses and `min max div ceil if given known`. Parsed here to operations in postfix
//! order; `crates/planner/src/strategy/rules/evaluate.rs` runs them.

/// One operation; the text of each is a variant of `Op` in the planner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Op {
    Int(i16),
    Fact(String),
    Given(String),
    Known(String),
    Plain(&'static str),
}

impl Op {
    /// As a Rust literal.
    pub(crate) fn literal(&self) -> String {
        match self {
            Self::Int(value) => format!("Op::Int({value})"),
            Self::Fact(name) => format!("Op::Fact(Fact::{})", variant(name)),
            Self::Given(name) => format!("Op::Given(Fact::{})", variant(name)),
            Self::Known(name) => format!("Op::Known(Fact::{})", variant(name)),
            Self::Plain(name) => format!("Op::{name}"),
        }
    }

    /// The quantity read, if any.
    pub(crate) fn fact(&self) -> Option<&str> {
        match self {
            Self::Fact(name) | Self::Given(name) | Self::Known(name) => Some(name),
            Self::Int(_) | Self::Plain(_) => None,
        }
    }
}

/// `kv_heads` as `KvHeads`.
pub(crate) fn variant(name: &str) -> String {
    let capital = |word: &str| {
        let mut letters = word.chars();
        letters
            .next()
            .map(|first| format!("{}{}", first.to_ascii_uppercase(), letters.as_str()))
            .unwrap_or_default()
    };
    name.split('_').map(capital).collect()
}

/// Parses one expression.
pub(crate) fn parse(text: &str) -> Result<Vec<Op>, String> {
    let mut parser = Parser { tokens: tokens(text)?, at: 0, out: Vec::new() };
    parser.either()?;
    match parser.peek() {
        None => Ok(parser.out),
        Some(token) => Err(format!("does not go on with `{token}`")),
    }
}

/// Two-letter signs stand before the one-letter ones that they begin with.
const SIGNS: [&str; 17] =
    ["&&", "||", "==", "!=", "<=", ">=", "+", "-", "*", "/", "%", "(", ")", "<", ">", "!", ","];

fn tokens(text: &str) -> Result<Vec<String>, String> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_alphanumeric() || first == '_' {
            rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(rest.len())
        } else {
            SIGNS
                .iter()
                .find(|sign| rest.starts_with(**sign))
                .map(|sign| sign.len())
                .ok_or_else(|| format!("has the unknown sign `{first}`"))?
        };
        let (token, after) = rest.split_at(length);
        tokens.push(token.to_owned());
        rest = after.trim_start();
    }
    Ok(tokens)
}

struct Parser {
    tokens: Vec<String>,
    at: usize,
    out: Vec<Op>,
}

/// Signs of one level and the operation of each.
type Level = &'static [(&'static str, &'static str)];
const COMPARISONS: Level =
    &[("==", "Eq"), ("!=", "Ne"), ("<=", "Le"), (">=", "Ge"), ("<", "Lt"), (">", "Gt")];
const SUMS: Level = &[("+", "Add"), ("-", "Sub")];
const PRODUCTS: Level = &[("*", "Mul"), ("/", "Div"), ("%", "Rem")];
/// Name, number of arguments, operation.
const FUNCTIONS: [(&str, usize, &str); 5] = [
    ("min", 2, "Min"),
    ("max", 2, "Max"),
    ("div", 2, "Floor"),
    ("ceil", 2, "Ceil"),
    ("if", 3, "If"),
];

impl Parser {
    fn peek(&self) -> Option<&str> {
        self.tokens.get(self.at).map(String::as_str)
    }

    fn take(&mut self, token: &str) -> bool {
        let found = self.peek() == Some(token);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> Result<(), String> {
        if self.take(token) {
            Ok(())
        } else {
            Err(format!("needs `{token}` before `{}`", self.peek().unwrap_or("the end")))
        }
    }

    fn operator(&mut self, level: Level) -> Option<&'static str> {
        let (_, op) = level.iter().find(|(sign, _)| self.peek() == Some(*sign))?;
        self.at += 1;
        Some(op)
    }

    fn either(&mut self) -> Result<(), String> {
        self.both()?;
        while self.take("||") {
            self.both()?;
            self.out.push(Op::Plain("Or"));
        }
        Ok(())
    }

    fn both(&mut self) -> Result<(), String> {
        self.comparison()?;
        while self.take("&&") {
            self.comparison()?;
            self.out.push(Op::Plain("And"));
        }
        Ok(())
    }

    fn comparison(&mut self) -> Result<(), String> {
        self.sum()?;
        if let Some(op) = self.operator(COMPARISONS) {
            self.sum()?;
            self.out.push(Op::Plain(op));
        }
        Ok(())
    }

    fn sum(&mut self) -> Result<(), String> {
        self.product()?;
        while let Some(op) = self.operator(SUMS) {
            self.product()?;
            self.out.push(Op::Plain(op));
        }
        Ok(())
    }

    fn product(&mut self) -> Result<(), String> {
        self.unary()?;
        while let Some(op) = self.operator(PRODUCTS) {
            self.unary()?;
            self.out.push(Op::Plain(op));
        }
        Ok(())
    }

    fn unary(&mut self) -> Result<(), String> {
        if self.take("!") {
            self.unary()?;
            self.out.push(Op::Plain("Not"));
            Ok(())
        } else {
            self.atom()
        }
    }

    fn atom(&mut self) -> Result<(), String> {
        if self.take("(") {
            self.either()?;
            return self.expect(")");
        }
        let Some(token) = self.peek().map(str::to_owned) else {
            return Err("ends too early".to_owned());
        };
        self.at += 1;
        if token.starts_with(|c: char| c.is_ascii_digit()) {
            let value = token.parse().map_err(|_| format!("has the bad number `{token}`"))?;
            self.out.push(Op::Int(value));
            Ok(())
        } else if !token.starts_with(|c: char| c.is_ascii_lowercase()) {
            Err(format!("has `{token}` where a value belongs"))
        } else if self.take("(") {
            self.call(&token)
        } else {
            self.out.push(Op::Fact(token));
            Ok(())
        }
    }

    fn call(&mut self, name: &str) -> Result<(), String> {
        if name == "given" || name == "known" {
            let fact = self.peek().unwrap_or_default().to_owned();
            self.at += 1;
            self.out.push(if name == "given" { Op::Given(fact) } else { Op::Known(fact) });
            return self.expect(")");
        }
        let Some((_, arguments, op)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) else {
            return Err(format!("calls the unknown `{name}`"));
        };
        for argument in 0..*arguments {
            if argument > 0 {
                self.expect(",")?;
            }
            self.either()?;
        }
        self.out.push(Op::Plain(op));
        self.expect(")")
    }
}
