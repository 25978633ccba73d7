//! A serde deserializer for values of the tree.

use serde::de::{Deserializer, Visitor};

use super::error::{ReadError, Wrong};
use super::reader::{Found, Reader, Variant};
use crate::literal;
use crate::token::Bracket;
use crate::view::Form;

/// Numbers are single words, which `ron` reads.
macro_rules! numbers {
    ($($method:ident $visit:ident $expected:literal),* $(,)?) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, ReadError> {
            match self.clone().found(true)? {
                Found::Value(reader) => reader.literal($expected, |ron| ron.$method(visitor)),
                Found::Number(x) => $visit(x, visitor).map_err(|error: ReadError| match error.wrong {
                    Wrong::Other(_) => {
                        let (expected, text) = ($expected.to_owned(), self.value.text().to_owned());
                        let wrong = Wrong::Result { expected, text, number: x };
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
        // If no parameter can be resolved here, the text may still be arithmetic for the inner type.
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
            Form::Call(call) => {
                let (span, name, group) = (this.span(), call.name(), Some(call.group()));
                visitor.visit_enum(Variant { reader: this, name, group }).map_err(|error| error.at(span))
            }
            Form::Group(group) => {
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
