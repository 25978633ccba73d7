//! Prepares a value for serde: resolves parameters and splits brackets into items.

use std::ops::Range;

use serde::Deserialize as _;
use serde::de::value::StrDeserializer;
use serde::de::{
    DeserializeSeed, EnumAccess, IntoDeserializer, MapAccess, SeqAccess, VariantAccess, Visitor,
};

use super::error::{ReadError, Wrong};
use crate::arithmetic::{self, Arithmetic};
use crate::literal;
use crate::mistake::Problem;
use crate::parameter::{Parameter, Parameters, parameter};
use crate::token::Bracket;
use crate::view::{Form, Group, Item, Value};

/// The maximum length of a chain of parameters in which each refers to the next.
const MAX_CHAIN: usize = 32;

/// The error for parameters that refer to each other in a circle.
fn endless() -> Problem {
    let message = "parameters refer to each other in a circle".to_owned();
    Problem { message, help: "give one of them a plain value".to_owned() }
}

/// A value to be read.
#[derive(Clone)]
pub struct Reader<'t> {
    pub value: Value<'t>,
    pub parameters: &'t dyn Parameters,
    /// The position of the parameter through which this value was reached. Errors are reported at this
    /// position, because positions inside the value belong to another text.
    named_at: Option<Range<usize>>,
    /// The number of parameters followed to reach this value.
    chain: usize,
}

/// A value after parameters are resolved, or the result of arithmetic.
pub enum Found<'t> {
    Value(Reader<'t>),
    Number(f64),
}

impl<'t> Reader<'t> {
    /// A reader of a value in the text itself, not reached through a parameter.
    pub fn new(value: Value<'t>, parameters: &'t dyn Parameters) -> Self {
        Self { value, parameters, named_at: None, chain: 0 }
    }

    pub fn span(&self) -> Range<usize> {
        self.named_at.clone().unwrap_or_else(|| self.value.span())
    }

    pub fn inner(&self, value: Value<'t>) -> Self {
        Self { value, ..self.clone() }
    }

    fn problem(&self, problem: Problem) -> ReadError {
        ReadError { span: Some(self.span()), wrong: Wrong::Problem(problem) }
    }

    pub fn unexpected(&self, expected: &str) -> ReadError {
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

    /// The error for a list with more or fewer values than expected.
    fn miscounted(&self, group: Group<'t>, expected: &str) -> ReadError {
        let mut error = self.unexpected(expected);
        if let Wrong::Unexpected { found, .. } = &mut error.wrong {
            let count = group.items().count();
            let values = if count == 1 { "value" } else { "values" };
            *found += &format!(" with {count} {values}");
        }
        error
    }

    /// Resolves parameters. Also evaluates arithmetic if a number is expected.
    pub fn found(mut self, is_number: bool) -> Result<Found<'t>, ReadError> {
        loop {
            let Form::Text(text) = self.value.form() else { return Ok(Found::Value(self)) };
            match parameter(text, self.parameters, is_number) {
                Parameter::None => return Ok(Found::Value(self)),
                Parameter::Value(value) => {
                    let named_at = Some(self.span());
                    self = Self { value, named_at, chain: self.chain + 1, ..self };
                    if self.chain > MAX_CHAIN {
                        return Err(self.problem(endless()));
                    }
                }
                Parameter::Unknown(problem) => return Err(self.problem(problem)),
                Parameter::Arithmetic(text) => {
                    let parameters = self.parameters;
                    if self.chain > MAX_CHAIN {
                        return Err(self.problem(endless()));
                    }
                    let get = |name: &str| number_after(self.chain + 1, name, parameters);
                    return match arithmetic::evaluate(&text, &get) {
                        Arithmetic::Number(number) => Ok(Found::Number(number)),
                        Arithmetic::Wrong(problem) => Err(self.problem(problem)),
                        Arithmetic::None => Ok(Found::Value(self)),
                    };
                }
            }
        }
    }

    /// The value after parameters are resolved, where no number is expected.
    pub fn plain(self) -> Result<Self, ReadError> {
        match self.clone().found(false)? {
            Found::Value(value) => Ok(value),
            Found::Number(_) => Ok(self),
        }
    }

    /// Reads a single literal with `ron`.
    pub fn literal<T>(
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
    pub fn items(&self, group: Group<'t>) -> Items<'t> {
        let items: Vec<Item<'t>> = group.items().collect();
        Items { reader: self.clone(), items: items.into_iter(), value: None }
    }

    /// The group of `Name(…)` or `(…)`.
    pub fn round(&self, name: &str) -> Option<Group<'t>> {
        match self.value.form() {
            Form::Call(call) if name.is_empty() || call.name() == name => Some(call.group()),
            Form::Group(group) if group.bracket() == Some(Bracket::Round) => Some(group),
            _ => None,
        }
    }

    pub fn row<'de, V: Visitor<'de>>(
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
            // The message for the whole list states how many values are needed.
            Wrong::Other(_) if error.span.is_none() => self.miscounted(group, expected),
            _ => error.at(self.span()),
        })?;
        match items.items.next() {
            None => Ok(value),
            Some(_) => Err(self.miscounted(group, expected)),
        }
    }

    pub fn record<'de, V: Visitor<'de>>(
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

/// The number that a parameter stands for in arithmetic. `chain` is the number of parameters followed so far.
fn number_after(chain: usize, name: &str, parameters: &dyn Parameters) -> Result<f64, Problem> {
    let value = parameters.get(name)?;
    let reader = Reader { chain, ..Reader::new(value, parameters) };
    f64::deserialize(reader).map_err(|error| match error.wrong {
        Wrong::Problem(problem) => problem,
        _ => {
            let message = format!("`${name}` is {}, which is not a number", value.text());
            Problem { message, help: "arithmetic needs numbers".to_owned() }
        }
    })
}

/// The number that a parameter stands for in arithmetic.
pub fn number(name: &str, parameters: &dyn Parameters) -> Result<f64, Problem> {
    number_after(1, name, parameters)
}

/// The items in brackets, one after the other.
pub struct Items<'t> {
    reader: Reader<'t>,
    items: std::vec::IntoIter<Item<'t>>,
    /// The value of the item whose name was read last.
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
pub struct Variant<'t> {
    pub reader: Reader<'t>,
    pub name: &'t str,
    pub group: Option<Group<'t>>,
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
