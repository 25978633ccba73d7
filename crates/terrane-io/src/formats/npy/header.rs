//! The header of an NPY file: a Python dictionary of three entries.

use crate::{Endian, Format, Problem, Sample, error::Outcome};

/// The description of an NPY file's data.
#[derive(Debug, PartialEq)]
pub(crate) struct Header {
    pub sample: Sample,
    pub endian: Endian,
    pub fortran: bool,
    pub rows: u64,
    pub columns: u64,
}

/// Reads `{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }`, entries in any order.
pub(crate) fn parse(text: &str) -> Outcome<Header> {
    let (mut descr, mut fortran, mut shape) = (None, None, None);
    let mut rest = Parser(text);
    rest.expect('{')?;
    while !rest.take('}') {
        let key = rest.string()?;
        rest.expect(':')?;
        match key {
            "descr" => descr = Some(rest.string()?),
            "fortran_order" => fortran = Some(rest.boolean()?),
            "shape" => shape = Some(rest.tuple()?),
            other => return Err(damaged(&format!("an unknown entry `{other}`"))),
        }
        if !rest.take(',') {
            rest.expect('}')?;
            break;
        }
    }
    let (Some(descr), Some(fortran), Some(shape)) = (descr, fortran, shape) else {
        return Err(damaged("descr, fortran_order or shape is missing"));
    };
    let (endian, sample) = number(descr)?;
    let (rows, columns) = size(&shape)?;
    Ok(Header { sample, endian, fortran, rows, columns })
}

fn damaged(detail: &str) -> Problem {
    Problem::Damaged { format: Format::NPY, detail: format!("its header has {detail}") }
}

fn unsupported(detail: String) -> Problem {
    Problem::Unsupported { format: Format::NPY, detail }
}

fn number(descr: &str) -> Outcome<(Endian, Sample)> {
    let unknown = || unsupported(format!("elements of type `{descr}`"));
    let (order, name) = descr.split_at_checked(1).ok_or_else(unknown)?;
    let endian = match order {
        // `|` marks single bytes; `=` is the writer's native order, little-endian on nearly every machine.
        "<" | "|" | "=" => Endian::Little,
        ">" => Endian::Big,
        _ => return Err(unknown()),
    };
    let sample = match name {
        "b1" | "u1" => Sample::U8,
        "i1" => Sample::I8,
        "u2" => Sample::U16,
        "i2" => Sample::I16,
        "u4" => Sample::U32,
        "i4" => Sample::I32,
        "u8" => Sample::U64,
        "i8" => Sample::I64,
        "f2" => Sample::F16,
        "f4" => Sample::F32,
        "f8" => Sample::F64,
        _ => return Err(unknown()),
    };
    Ok((endian, sample))
}

/// Rows and columns: a shape without its axes of length one. A vector is one row.
fn size(shape: &[u64]) -> Outcome<(u64, u64)> {
    let long: Vec<u64> = shape.iter().copied().filter(|&n| n != 1).collect();
    match (shape, &long[..]) {
        ([rows, columns], _) => Ok((*rows, *columns)),
        (_, []) => Ok((1, 1)),
        (_, [columns]) => Ok((1, *columns)),
        (_, [rows, columns]) => Ok((*rows, *columns)),
        _ => Err(unsupported(format!("the shape {shape:?}"))),
    }
}

/// The part of a header that is not parsed yet.
struct Parser<'a>(&'a str);

impl<'a> Parser<'a> {
    fn take(&mut self, wanted: char) -> bool {
        self.0 = self.0.trim_start();
        match self.0.strip_prefix(wanted) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, wanted: char) -> Outcome<()> {
        if self.take(wanted) {
            return Ok(());
        }
        let start: String = self.0.chars().take(12).collect();
        Err(damaged(&format!("`{start}` where `{wanted}` was expected")))
    }

    fn string(&mut self) -> Outcome<&'a str> {
        if self.take('[') {
            return Err(unsupported("records as elements".into()));
        }
        let quote = if self.take('"') { '"' } else { '\'' };
        if quote == '\'' {
            self.expect('\'')?;
        }
        let (text, rest) = self.0.split_once(quote).ok_or_else(|| damaged("an unterminated string"))?;
        self.0 = rest;
        Ok(text)
    }

    fn boolean(&mut self) -> Outcome<bool> {
        self.0 = self.0.trim_start();
        for (name, value) in [("True", true), ("False", false)] {
            if let Some(rest) = self.0.strip_prefix(name) {
                self.0 = rest;
                return Ok(value);
            }
        }
        Err(damaged("neither True nor False for fortran_order"))
    }

    fn tuple(&mut self) -> Outcome<Vec<u64>> {
        self.expect('(')?;
        let mut numbers = Vec::new();
        while !self.take(')') {
            self.0 = self.0.trim_start();
            let end = self.0.find(|c: char| !c.is_ascii_digit()).unwrap_or(self.0.len());
            let (digits, rest) = self.0.split_at(end);
            numbers.push(digits.parse().map_err(|_| damaged("a shape that does not consist of numbers"))?);
            // Python 2 wrote long integers with an L.
            self.0 = rest.strip_prefix('L').unwrap_or(rest);
            if !self.take(',') {
                self.expect(')')?;
                break;
            }
        }
        Ok(numbers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_of_other_programs() {
        let header = parse("{'descr': '>u2', 'fortran_order': True, 'shape': (4, 3), }      \n").unwrap();
        assert_eq!(header.sample, Sample::U16);
        assert_eq!((header.endian, header.fortran), (Endian::Big, true));
        assert_eq!((header.rows, header.columns), (4, 3));
        let tight = parse(r#"{"shape":(4L,1),"fortran_order":False,"descr":"|u1"}"#).unwrap();
        assert_eq!((tight.rows, tight.columns, tight.sample), (4, 1, Sample::U8));
        let shape = |s: &str| {
            parse(&format!("{{'descr': '<f4', 'fortran_order': False, 'shape': {s}}}"))
                .map(|h| (h.rows, h.columns))
        };
        assert_eq!(shape("(7,)").unwrap(), (1, 7));
        assert_eq!(shape("()").unwrap(), (1, 1));
        assert_eq!(shape("(5, 1, 7)").unwrap(), (5, 7));
        assert!(matches!(shape("(2, 3, 4)"), Err(Problem::Unsupported { .. })));
        assert!(matches!(shape("(-1, 3)"), Err(Problem::Damaged { .. })));
        assert!(matches!(shape("(99999999999999999999, 3)"), Err(Problem::Damaged { .. })));
    }

    #[test]
    fn invalid_headers() {
        for text in
            ["", "{", "{'descr'", "{'descr': '<f4'}", "{'a': 1}", "{'descr': '<f4', 'shape': (1,", "é"]
        {
            assert!(matches!(parse(text), Err(Problem::Damaged { .. })), "{text}");
        }
        for descr in ["'<c8'", "''", "'<U3'", "[('x', '<f4')]", "'éf4'"] {
            let text = format!("{{'descr': {descr}, 'fortran_order': False, 'shape': (1, 1)}}");
            assert!(matches!(parse(&text), Err(Problem::Unsupported { .. })), "{descr}");
        }
    }
}
