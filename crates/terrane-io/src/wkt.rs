//! Reading the WKT of reference systems.

use std::str::Chars;

/// The deepest nesting of WKT that is read. Usual texts have six levels.
const DEEPEST: usize = 32;

/// A part of WKT: a keyword with its values.
#[derive(Debug, Default)]
pub(crate) struct Part<'a> {
    /// In capital letters.
    pub keyword: String,
    pub values: Vec<&'a str>,
    pub parts: Vec<Part<'a>>,
    /// The part as it is written.
    pub text: &'a str,
}

impl<'a> Part<'a> {
    /// The part at the beginning of a text, and the others that follow it, up to one that cannot be read.
    pub fn all(text: &'a str) -> Vec<Self> {
        let mut rest = text.chars();
        let mut all = Vec::new();
        while let Some(part) = Self::parse(&mut rest, 0) {
            all.push(part);
            rest = rest.as_str().trim_start_matches([' ', '\t', '\r', '\n', ',']).chars();
        }
        all
    }

    /// A keyword, and what follows in brackets.
    fn parse(text: &mut Chars<'a>, depth: usize) -> Option<Self> {
        let whole = text.as_str();
        let end = whole.find(['[', '('])?;
        let keyword = whole[..end].trim().to_ascii_uppercase();
        if depth == DEEPEST
            || keyword.is_empty()
            || !keyword.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        {
            return None;
        }
        *text = whole[end + 1..].chars();
        let mut part = Self { keyword, ..Self::default() };
        loop {
            *text = text.as_str().trim_start_matches([' ', '\t', '\r', '\n', ',']).chars();
            let rest = text.as_str();
            match rest.chars().next()? {
                ']' | ')' => {
                    text.next();
                    part.text = whole[..whole.len() - text.as_str().len()].trim();
                    return Some(part);
                }
                '"' => {
                    let end = rest[1..].find('"')? + 1;
                    part.values.push(&rest[1..end]);
                    *text = rest[end + 1..].chars();
                }
                _ => match rest.find(['[', '(', ',', ']', ')'])? {
                    end if rest[end..].starts_with(['[', '(']) => {
                        part.parts.push(Self::parse(text, depth + 1)?);
                    }
                    end => {
                        part.values.push(rest[..end].trim());
                        *text = rest[end..].chars();
                    }
                },
            }
        }
    }

    /// The projected or geographic reference system of this one, which may have heights too.
    pub fn horizontal(&self) -> Option<&Self> {
        match self.keyword.as_str() {
            "PROJCS" | "PROJCRS" => Some(self),
            _ if self.is_geographic() => Some(self),
            "COMPD_CS" | "COMPOUNDCRS" | "BOUNDCRS" | "SOURCECRS" => {
                self.parts.iter().find_map(Self::horizontal)
            }
            _ => None,
        }
    }

    /// The reference system of heights of this one.
    pub fn vertical(&self) -> Option<&Self> {
        match self.keyword.as_str() {
            "VERT_CS" | "VERTCS" | "VERTCRS" => Some(self),
            "COMPD_CS" | "COMPOUNDCRS" | "BOUNDCRS" | "SOURCECRS" => {
                self.parts.iter().find_map(Self::vertical)
            }
            _ => None,
        }
    }

    pub fn is_geographic(&self) -> bool {
        matches!(self.keyword.as_str(), "GEOGCS" | "GEOGCRS" | "GEODCRS")
    }

    /// The geographic reference system: this one, or that of a projected one.
    pub fn base(&self) -> Option<&Self> {
        let bases = ["GEOGCS", "BASEGEOGCRS", "BASEGEODCRS"];
        if self.is_geographic() { Some(self) } else { self.find(&bases) }
    }

    /// Whether longitude and latitude are those about another pole.
    pub fn is_rotated(&self) -> bool {
        self.find(&["DERIVINGCONVERSION"]).is_some()
            || self.find(&["PROJECTION"]).is_some_and(|part| part.name().eq_ignore_ascii_case("Rotated_pole"))
            || self.extension().is_some_and(|text| text.contains("ob_tran"))
    }

    /// The text of PROJ that GDAL adds where WKT cannot tell.
    pub fn extension(&self) -> Option<&str> {
        self.find(&["EXTENSION"])?.values.get(1).copied()
    }

    /// The part of this one that has one of these keywords.
    pub fn find(&self, keywords: &[&str]) -> Option<&Self> {
        self.parts.iter().find(|part| keywords.contains(&part.keyword.as_str()))
    }

    pub fn name(&self) -> &str {
        self.values.first().copied().unwrap_or_default()
    }

    /// The value at a position, as a number.
    pub fn number(&self, at: usize) -> Option<f64> {
        self.values.get(at)?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// The EPSG code.
    pub fn code(&self) -> Option<u16> {
        let own = self.find(&["AUTHORITY", "ID"])?;
        let is_epsg = own.name().eq_ignore_ascii_case("EPSG");
        own.values.get(1).filter(|_| is_epsg)?.parse().ok()
    }

    /// The unit with one of these keywords: the last one of the part itself, or one of its axes.
    fn unit_of(&self, keywords: &[&str]) -> Result<Option<f64>, &'static str> {
        let unit = |part: &&Self| keywords.contains(&part.keyword.as_str());
        let own = self.parts.iter().rfind(unit);
        let own = own.or_else(|| self.parts.iter().find_map(|part| part.parts.iter().find(unit)));
        let Some(own) = own else { return Ok(None) };
        own.number(1).filter(|size| *size > 0.0).map(Some).ok_or("its unit has no length in metres")
    }

    /// Metres in the unit of a projected reference system, or of one of heights, if it has a unit.
    pub fn metres(&self) -> Result<Option<f64>, &'static str> {
        self.unit_of(&["UNIT", "LENGTHUNIT"])
    }

    /// Radians in the unit of a geographic reference system or of one of its parts.
    pub fn radians(&self) -> Option<f64> {
        self.unit_of(&["UNIT", "ANGLEUNIT"]).ok().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_in_both_dialects() {
        let text = r#"COMPOUNDCRS["a + b",BOUNDCRS[SOURCECRS[PROJCRS["a",BASEGEOGCRS["g",DATUM["d"]],
            CS[Cartesian,2],AXIS["e",east,LENGTHUNIT["foot",0.3048]]]]],
            VERTCRS["b",LENGTHUNIT["m",1]]] rest"#;
        let all = Part::all(text);
        assert_eq!(all.len(), 1);
        let (flat, high) = (all[0].horizontal().unwrap(), all[0].vertical().unwrap());
        assert_eq!((flat.name(), flat.base().unwrap().name(), high.name()), ("a", "g", "b"));
        assert_eq!((flat.metres(), high.metres()), (Ok(Some(0.3048)), Ok(Some(1.0))));
        assert!(flat.text.starts_with("PROJCRS[\"a\"") && flat.text.ends_with("0.3048]]]"), "{}", flat.text);
        assert!(!flat.is_rotated());
        let esri = Part::all("PROJCS[\"a\",UNIT[\"Foot_US\",0.3048006]],VERTCS[\"b\",UNIT[\"Foot\",0.3048]]");
        assert_eq!((esri.len(), esri[1].vertical().unwrap().metres()), (2, Ok(Some(0.3048))));
        let turned = Part::all("GEOGCRS[\"a\",BASEGEOGCRS[\"b\"],DERIVINGCONVERSION[\"c\"]]");
        assert!(turned[0].is_rotated() && turned[0].is_geographic());
    }

    #[test]
    fn other_texts_have_no_parts() {
        for text in ["", "PROJCS[", "PROJCS[\"a", "a b[1]", "[1]", &"A[".repeat(100_000)] {
            assert!(Part::all(text).is_empty(), "{text:.20}");
        }
    }
}
