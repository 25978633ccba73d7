//! Values read from the tree by serde, with parameters in them, and with the place of what does not fit.

use std::fmt;
use std::ops::Range;

use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeOwned, DeserializeSeed, Deserializer, EnumAccess, IntoDeserializer, MapAccess, SeqAccess,
    VariantAccess, Visitor,
};

use crate::arithmetic::{self, Arithmetic};
use crate::lex::Bracket;
use crate::literal;
use crate::parameter::{Literally, Parameter, Parameters, Problem, parameter};
use crate::view::{Form, Group, Item, Value};

/// Parameters that stand for each other at most.
const LONGEST_CHAIN: usize = 32;

/// Why a value was not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    /// The bytes of the text that it is about: a part of the value, or the `"$name"` by whose value it is wrong.
    pub span: Option<Range<usize>>,
    /// What is wrong.
    pub wrong: Wrong,
}

/// What is wrong with a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wrong {
    /// It is of another sort.
    Unexpected {
        /// What was expected.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// A parameter, or arithmetic.
    Problem(Problem),
    /// What the type that is read says of it.
    Other(String),
}

/// Reads a value as `T`.
///
/// `"$name"` stands for the value of a parameter, and where a number is wanted `"$name * 2"` for what it comes to; text that begins with a
/// dollar sign is written with two.
///
/// # Errors
/// The first part that does not fit, with its place.
pub fn read<T: DeserializeOwned>(value: Value<'_>, parameters: &dyn Parameters) -> Result<T, ReadError> {
    read_chained(value, parameters, 0)
}

/// [`read`] of a value that so many parameters have led to.
pub fn read_chained<T: DeserializeOwned>(
    value: Value<'_>,
    parameters: &dyn Parameters,
    chain: usize,
) -> Result<T, ReadError> {
    let reader = Reader { value, parameters, named_at: None, chain };
    let span = reader.span();
    T::deserialize(reader).map_err(|error| error.at(span))
}

/// [`read`], for types that are known only when the program runs, of a value that a program has written: see [`Literally`].
///
/// # Errors
/// As [`read`].
pub fn read_seed<'t, S: DeserializeSeed<'t>>(value: Value<'t>, seed: S) -> Result<S::Value, ReadError> {
    let reader = Reader { value, parameters: &Literally, named_at: None, chain: 0 };
    let span = reader.span();
    seed.deserialize(reader).map_err(|error| error.at(span))
}

impl ReadError {
    /// The error, at a place where it has none.
    fn at(self, span: Range<usize>) -> Self {
        Self { span: self.span.or(Some(span)), ..self }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.wrong {
            Wrong::Unexpected { expected, found } => write!(f, "expected {expected}, found {found}"),
            Wrong::Problem(problem) => f.write_str(&problem.message),
            Wrong::Other(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for ReadError {}

impl serde::de::Error for ReadError {
    fn custom<M: fmt::Display>(message: M) -> Self {
        Self { span: None, wrong: Wrong::Other(message.to_string()) }
    }
}

/// A value to be read.
#[derive(Clone)]
struct Reader<'t> {
    value: Value<'t>,
    parameters: &'t dyn Parameters,
    /// Where the text names the parameter whose value this is: places in it are of another text.
    named_at: Option<Range<usize>>,
    /// How many parameters have led here.
    chain: usize,
}

/// What is wrong with parameters that stand for each other in a circle.
fn endless() -> Problem {
    let message = "parameters stand for each other without end".to_owned();
    Problem { message, help: "give one of them a value of its own".to_owned() }
}

/// A value without parameters around it, or what arithmetic comes to.
enum Found<'t> {
    Value(Reader<'t>),
    Number(f64),
}

impl<'t> Reader<'t> {
    fn span(&self) -> Range<usize> {
        self.named_at.clone().unwrap_or_else(|| self.value.span())
    }

    fn inner(&self, value: Value<'t>) -> Self {
        Self { value, ..self.clone() }
    }

    fn problem(&self, problem: Problem) -> ReadError {
        ReadError { span: Some(self.span()), wrong: Wrong::Problem(problem) }
    }

    fn unexpected(&self, expected: &str) -> ReadError {
        let found = self.value.text();
        let found = match found.char_indices().nth(40) {
            None => format!("`{found}`"),
            Some((end, _)) => format!("`{}...`", &found[..end]),
        };
        ReadError {
            span: Some(self.span()),
            wrong: Wrong::Unexpected { expected: expected.to_owned(), found },
        }
    }

    /// Follows parameters, and works arithmetic out where a number is wanted.
    fn found(mut self, is_number: bool) -> Result<Found<'t>, ReadError> {
        loop {
            let Form::Text(text) = self.value.form() else { return Ok(Found::Value(self)) };
            match parameter(text, self.parameters, is_number) {
                Parameter::None => return Ok(Found::Value(self)),
                Parameter::Value(value) => {
                    let named_at = Some(self.span());
                    self = Self { value, named_at, chain: self.chain + 1, ..self };
                    if self.chain > LONGEST_CHAIN {
                        return Err(self.problem(endless()));
                    }
                }
                Parameter::Unknown(problem) => return Err(self.problem(problem)),
                Parameter::Arithmetic(text) => {
                    let parameters = self.parameters;
                    if self.chain > LONGEST_CHAIN {
                        return Err(self.problem(endless()));
                    }
                    return match arithmetic::evaluate(&text, parameters, self.chain) {
                        Arithmetic::Number(number) => Ok(Found::Number(number)),
                        Arithmetic::Wrong(problem) => Err(self.problem(problem)),
                        Arithmetic::None => Ok(Found::Value(self)),
                    };
                }
            }
        }
    }

    /// The value behind parameters, where no number is wanted.
    fn plain(self) -> Result<Self, ReadError> {
        match self.clone().found(false)? {
            Found::Value(value) => Ok(value),
            Found::Number(_) => Ok(self),
        }
    }

    /// Reads a single literal as `ron` does.
    fn literal<T>(
        &self,
        expected: &str,
        read: impl FnOnce(&mut ron::Deserializer<'t>) -> ron::Result<T>,
    ) -> Result<T, ReadError> {
        let (Form::Word(text) | Form::Text(text) | Form::Char(text)) = self.value.form() else {
            return Err(self.unexpected(expected));
        };
        let read = literal::deserializer(text).and_then(|mut ron| {
            let value = read(&mut ron).ok()?;
            ron.end().ok().map(|()| value)
        });
        read.ok_or_else(|| self.unexpected(expected))
    }

    /// The items of a group, with or without a name before it.
    fn items(&self, group: Group<'t>) -> Items<'t> {
        let items: Vec<Item<'t>> = group.items().collect();
        Items { reader: self.clone(), items: items.into_iter(), value: None }
    }

    /// What stands in round brackets, behind a name where there is one: `Name(…)` or `(…)`.
    fn round(&self, name: &str) -> Option<Group<'t>> {
        match self.value.form() {
            Form::Call(call) if name.is_empty() || call.name() == name => Some(call.group()),
            Form::Group(group) if group.bracket() == Some(Bracket::Round) => Some(group),
            _ => None,
        }
    }

    fn row<'de, V: Visitor<'de>>(
        self,
        group: Option<Group<'t>>,
        expected: &str,
        visitor: V,
    ) -> Result<V::Value, ReadError>
    where
        't: 'de,
    {
        let group = group.filter(|group| group.items().all(|item| item.key().is_none()));
        let Some(group) = group else { return Err(self.unexpected(expected)) };
        let mut items = self.items(group);
        let value = visitor.visit_seq(&mut items).map_err(|error| match error.wrong {
            // How many there must be is said by the whole.
            Wrong::Other(_) if error.span.is_none() => self.unexpected(expected),
            _ => error.at(self.span()),
        })?;
        match items.items.next() {
            None => Ok(value),
            Some(_) => Err(self.unexpected(expected)),
        }
    }

    fn record<'de, V: Visitor<'de>>(
        self,
        group: Option<Group<'t>>,
        expected: &str,
        visitor: V,
    ) -> Result<V::Value, ReadError>
    where
        't: 'de,
    {
        let group = group.filter(|group| group.items().all(|item| item.key().is_some()));
        let Some(group) = group else { return Err(self.unexpected(expected)) };
        let span = self.span();
        visitor.visit_map(&mut self.items(group)).map_err(|error| error.at(span))
    }
}

/// Numbers and what else is one word: `ron` reads it.
macro_rules! numbers {
    ($($method:ident $visit:ident $expected:literal),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            match self.clone().found(true)? {
                Found::Value(reader) => reader.literal($expected, |ron| ron.$method(visitor)),
                Found::Number(number) => $visit(number, visitor).map_err(|error: ReadError| match error.wrong {
                    Wrong::Other(_) => {
                        let found = format!("`{}`, which is {number}", self.value.text());
                        let wrong = Wrong::Unexpected { expected: $expected.to_owned(), found };
                        ReadError { span: Some(self.span()), wrong }
                    }
                    _ => error,
                }),
            }
        }
    )*};
}

fn whole<'de, V: Visitor<'de>>(number: f64, visitor: V) -> Result<V::Value, ReadError> {
    const EXACT: f64 = 9_007_199_254_740_992.0;
    if number.fract() != 0.0 || number.abs() > EXACT {
        return Err(serde::de::Error::custom("not whole"));
    }
    if number < 0.0 { visitor.visit_i64(number as i64) } else { visitor.visit_u64(number as u64) }
}

fn float<'de, V: Visitor<'de>>(number: f64, visitor: V) -> Result<V::Value, ReadError> {
    visitor.visit_f64(number)
}

impl<'de, 't: 'de> Deserializer<'de> for Reader<'t> {
    type Error = ReadError;

    numbers! {
        deserialize_i8 whole "a whole number",
        deserialize_i16 whole "a whole number",
        deserialize_i32 whole "a whole number",
        deserialize_i64 whole "a whole number",
        deserialize_i128 whole "a whole number",
        deserialize_u8 whole "a whole number",
        deserialize_u16 whole "a whole number",
        deserialize_u32 whole "a whole number",
        deserialize_u64 whole "a whole number",
        deserialize_u128 whole "a whole number",
        deserialize_f32 float "a number",
        deserialize_f64 float "a number",
    }

    fn deserialize_bool<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.plain()?.literal("true or false", |ron| ron.deserialize_bool(visitor))
    }

    fn deserialize_char<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.plain()?.literal("a character", |ron| ron.deserialize_char(visitor))
    }

    fn deserialize_str<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_string(visitor)
    }

    fn deserialize_string<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let this = self.plain()?;
        let Form::Text(text) = this.value.form() else { return Err(this.unexpected("quoted text")) };
        let Some(text) = literal::text(text) else { return Err(this.unexpected("quoted text")) };
        let is_doubled = this.value.text().trim_start_matches(['r', '#']).starts_with("\"$$")
            && this.parameters.can_be_named();
        let text = if is_doubled { text[1..].to_owned() } else { text };
        visitor.visit_string(text).map_err(|error: ReadError| error.at(this.span()))
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        self.plain()?.literal("bytes", |ron| ron.deserialize_byte_buf(visitor))
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        // What is not a parameter here may be arithmetic further in.
        let this = self.clone().plain().unwrap_or(self);
        match this.value.form() {
            Form::Word("None") => visitor.visit_none(),
            Form::Call(call) if call.name() == "Some" => {
                let mut items = call.group().items();
                match (items.next(), items.next()) {
                    (Some(item), None) if item.key().is_none() => match item.value() {
                        Some(value) => visitor.visit_some(this.inner(value)),
                        None => Err(this.unexpected("Some(value)")),
                    },
                    _ => Err(this.unexpected("Some(value)")),
                }
            }
            _ => visitor.visit_some(this),
        }
    }

    fn deserialize_unit<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let this = self.plain()?;
        match this.value.form() {
            Form::Group(group)
                if group.bracket() == Some(Bracket::Round) && group.items().next().is_none() =>
            {
                visitor.visit_unit()
            }
            _ => Err(this.unexpected("()")),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let this = self.plain()?;
        match this.value.form() {
            Form::Word(word) if word == name => visitor.visit_unit(),
            _ => Err(this.unexpected(name)),
        }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let this = self.plain()?;
        let inner = this.round(name).and_then(|group| {
            let mut items = group.items();
            let item = items.next().filter(|item| item.key().is_none())?;
            items.next().is_none().then_some(item)?.value()
        });
        match inner {
            Some(value) => visitor.visit_newtype_struct(this.inner(value)),
            None => visitor.visit_newtype_struct(this),
        }
    }

    fn deserialize_seq<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let this = self.plain()?;
        let group = this.value.group(Bracket::Square);
        this.row(group, "a list [...]", visitor)
    }

    fn deserialize_tuple<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, ReadError> {
        let this = self.plain()?;
        let group = this.value.group(Bracket::Round);
        this.row(group, &format!("{len} values in ( )"), visitor)
    }

    fn deserialize_tuple_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let this = self.plain()?;
        let group = this.round(name);
        this.row(group, &format!("{name} with {len} values in ( )"), visitor)
    }

    fn deserialize_map<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let this = self.plain()?;
        let group = this.value.group(Bracket::Curly);
        this.record(group, "{ \"name\": value, ... }", visitor)
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let this = self.plain()?;
        let group = this.round(name);
        this.record(group, &format!("{name}(field: value, ...)"), visitor)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let this = self.plain()?;
        let expected = format!("one of {}", variants.join(", "));
        let (name, group) = match this.value.form() {
            Form::Word(word) => (word, None),
            Form::Call(call) => (call.name(), Some(call.group())),
            _ => return Err(this.unexpected(&expected)),
        };
        if !variants.is_empty() && !variants.contains(&name) {
            return Err(this.unexpected(&expected));
        }
        let span = this.span();
        visitor.visit_enum(Variant { reader: this, name, group }).map_err(|error| error.at(span))
    }

    fn deserialize_identifier<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        match self.value.form() {
            Form::Word(word) => visitor.visit_str(word),
            _ => self.deserialize_string(visitor),
        }
    }

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        let this = match self.clone().found(true)? {
            Found::Number(number) if number.fract() == 0.0 => return whole(number, visitor),
            Found::Number(number) => return visitor.visit_f64(number),
            Found::Value(this) => this,
        };
        match this.value.form() {
            Form::Text(_) => this.deserialize_string(visitor),
            Form::Word(_) | Form::Char(_) => this.literal("a value", |ron| ron.deserialize_any(visitor)),
            Form::Call(_) | Form::Group(_) => {
                let group = match this.value.form() {
                    Form::Call(call) => call.group(),
                    Form::Group(group) => group,
                    _ => return Err(this.unexpected("a value")),
                };
                let named = group.items().next().is_some_and(|item| item.key().is_some());
                if named || group.bracket() == Some(Bracket::Curly) {
                    this.record(Some(group), "a value", visitor)
                } else {
                    this.row(Some(group), "a value", visitor)
                }
            }
            Form::Missing => Err(this.unexpected("a value")),
        }
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
        visitor.visit_unit()
    }
}

/// What stands in brackets, one after the other.
struct Items<'t> {
    reader: Reader<'t>,
    items: std::vec::IntoIter<Item<'t>>,
    /// The value of the item whose name was read.
    value: Option<Value<'t>>,
}

impl<'t> Items<'t> {
    fn read<'de, S: DeserializeSeed<'de>>(&self, seed: S, value: Value<'t>) -> Result<S::Value, ReadError>
    where
        't: 'de,
    {
        let inner = self.reader.inner(value);
        let span = inner.span();
        seed.deserialize(inner).map_err(|error| error.at(span))
    }
}

impl<'de, 't: 'de> SeqAccess<'de> for &mut Items<'t> {
    type Error = ReadError;

    fn next_element_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, ReadError> {
        let value = self.items.next().and_then(Item::value);
        value.map(|value| self.read(seed, value)).transpose()
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.items.len())
    }
}

impl<'de, 't: 'de> MapAccess<'de> for &mut Items<'t> {
    type Error = ReadError;

    fn next_key_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<Option<S::Value>, ReadError> {
        let Some(item) = self.items.next() else { return Ok(None) };
        self.value = item.value();
        let name: StrDeserializer<'_, ReadError> = item.name().unwrap_or_default().into_deserializer();
        let span = item.name_span().unwrap_or_else(|| item.span());
        let span = self.reader.named_at.clone().unwrap_or(span);
        seed.deserialize(name).map(Some).map_err(|error| error.at(span))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, ReadError> {
        match self.value.take() {
            Some(value) => self.read(seed, value),
            None => Err(self.reader.unexpected("a value")),
        }
    }
}

/// A name with or without brackets.
struct Variant<'t> {
    reader: Reader<'t>,
    name: &'t str,
    group: Option<Group<'t>>,
}

impl<'de, 't: 'de> EnumAccess<'de> for Variant<'t> {
    type Error = ReadError;
    type Variant = Self;

    fn variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<(S::Value, Self), ReadError> {
        let name: StrDeserializer<'_, ReadError> = self.name.into_deserializer();
        Ok((seed.deserialize(name)?, self))
    }
}

impl<'de, 't: 'de> VariantAccess<'de> for Variant<'t> {
    type Error = ReadError;

    fn unit_variant(self) -> Result<(), ReadError> {
        match self.group {
            None => Ok(()),
            Some(_) => Err(self.reader.unexpected(self.name)),
        }
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, ReadError> {
        let mut items = self.group.into_iter().flat_map(Group::items);
        match (items.next().and_then(Item::value), items.next()) {
            (Some(value), None) => seed.deserialize(self.reader.inner(value)),
            _ => Err(self.reader.unexpected(&format!("{}(value)", self.name))),
        }
    }

    fn tuple_variant<V: Visitor<'de>>(self, len: usize, visitor: V) -> Result<V::Value, ReadError> {
        let expected = format!("{} with {len} values in ( )", self.name);
        self.reader.row(self.group, &expected, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, ReadError> {
        let expected = format!("{}(field: value, ...)", self.name);
        self.reader.record(self.group, &expected, visitor)
    }
}
