//! Reading points from tables.

use csv::{ErrorKind, Position, ReaderBuilder, StringRecord, Trim};

use super::point::{Entry, Point, number, problem};
use crate::Problem;
use crate::lines::MAX_POINTS;
use crate::records::{MAX_RECORD, cells_of_table};

const NAMES: &str = "name the columns in the first line, with commas between them: x,y,height";

/// The number of columns that a message names.
const SHOWN: usize = 24;

/// Reads the rows of a table with columns `x`, `y` and, optionally, `height`. A row with an empty height has
/// none.
pub fn parse(bytes: &[u8]) -> Result<Vec<Point>, Problem> {
    if let (_, Some(line)) = cells_of_table(bytes) {
        let detail = format!("the row has more than {MAX_RECORD} bytes");
        return Err(problem(Entry::Line(line), detail, "remove the columns that are not needed"));
    }
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(bytes);
    let header = reader.headers().map_err(|error| damaged(bytes, &error))?.clone();
    let needed = |name: &str| {
        column(&header, name)?.ok_or_else(|| {
            let found: Vec<String> = header.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
            let more = if header.len() > SHOWN { ", ..." } else { "" };
            let found = found.join(", ");
            let detail = format!("there is no column `{name}`: the columns are {found}{more}");
            problem(Entry::Line(1), detail, NAMES)
        })
    };
    let (x, y, height) = (needed("x")?, needed("y")?, column(&header, "height")?);
    let mut points = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| damaged(bytes, &error))?;
        let line = Entry::Line(record.position().map_or(0, |position| line_of(bytes, position)));
        let height = match height {
            Some(column) if record.get(column).is_some_and(|text| !text.is_empty()) => {
                Some(read(&record, column, "height", line)?)
            }
            _ => None,
        };
        points.push(Point {
            x: read(&record, x, "x", line)?,
            y: read(&record, y, "y", line)?,
            height,
            entry: line,
        });
        // The caller reports the error. Stop before more memory is used.
        if points.len() > MAX_POINTS {
            break;
        }
    }
    Ok(points)
}

/// The column with this name, if any.
fn column(header: &StringRecord, name: &str) -> Result<Option<usize>, Problem> {
    let mut found = header.iter().enumerate().filter(|(_, other)| *other == name).map(|(column, _)| column);
    let first = found.next();
    if found.next().is_some() {
        return Err(problem(
            Entry::Line(1),
            format!("two columns are called `{name}`"),
            "rename one of them",
        ));
    }
    Ok(first)
}

fn read(record: &StringRecord, column: usize, name: &str, line: Entry) -> Result<f64, Problem> {
    let text = record.get(column).unwrap_or_default();
    match text.parse() {
        Ok(value) => number(value, name, line),
        Err(_) => {
            let detail = format!("`{text}` in column `{name}` is not a number");
            Err(problem(line, detail, "write numbers such as 12.5, with a decimal point and without a unit"))
        }
    }
}

/// The line on which a row starts. The reader's position is before the end of the previous line and before
/// empty lines.
fn line_of(bytes: &[u8], position: &Position) -> usize {
    let before = bytes.iter().skip(position.byte() as usize).take_while(|byte| matches!(byte, b'\r' | b'\n'));
    position.line() as usize + before.filter(|byte| **byte == b'\n').count()
}

/// Converts an error of the CSV reader.
fn damaged(bytes: &[u8], error: &csv::Error) -> Problem {
    let at = error.position().map(|position| (line_of(bytes, position), None));
    let (detail, remedy) = match error.kind() {
        ErrorKind::UnequalLengths { expected_len, len, .. } => (
            format!("the row has {len} fields, but the first line has {expected_len}"),
            "give each row one field per column",
        ),
        ErrorKind::Utf8 { .. } => ("the text is not UTF-8".to_owned(), "save the table as UTF-8"),
        _ => (error.to_string(), NAMES),
    };
    Problem::Points { at, detail, remedy }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_name() {
        let points = parse(b"name, height ,y, x\n\"a, b\", 5.5, 2, -1e2\nc,,4,3\n").unwrap();
        assert_eq!(
            points,
            [
                Point { x: -100.0, y: 2.0, height: Some(5.5), entry: Entry::Line(2) },
                Point { x: 3.0, y: 4.0, height: None, entry: Entry::Line(3) },
            ]
        );
        assert_eq!(parse(b"x,y\r\n1,2\r\n").unwrap()[0].height, None);
    }

    #[test]
    fn errors_name_their_line() {
        let error_of = |text: &[u8]| match parse(text) {
            Err(Problem::Points { at, detail, remedy }) => {
                (at.map(|(line, _)| line), format!("{detail}; {remedy}"))
            }
            other => panic!("{other:?}"),
        };
        for (text, line, expected) in [
            (&b"x;y;height\n1;2;3\n"[..], 1, "there is no column `x`: the columns are `x;y;height`"),
            (b"x,z\n1,2\n", 1, "no column `y`: the columns are `x`, `z`"),
            (b"x,y,x\n1,2,3\n", 1, "two columns are called `x`"),
            (b"x,y,height\n1,2,3\n\n4,5\n", 4, "the row has 2 fields, but the first line has 3"),
            (b"x,y\r\n1,2\r\n\r\n3,\r\n", 4, "`` in column `y` is not a number"),
            (b"x,y\n1,2\n3,\n", 3, "`` in column `y` is not a number"),
            (b"x,y,height\n1,2,3\n1,2,5m\n", 3, "`5m` in column `height` is not a number"),
            (b"x,y\nnan,2\n", 2, "x of the point of line 2 is NaN"),
            (b"x,y\n1,-inf\n", 2, "y of the point of line 2 is -inf"),
            (b"x,y\n1,1e13\n", 2, "y of the point of line 2 is 10000000000000"),
            (b"x,y\n1,2\n\xff,3\n", 3, "the text is not UTF-8"),
        ] {
            let (at, text) = error_of(text);
            assert_eq!(at, Some(line), "{text}");
            assert!(text.contains(expected), "{text}");
        }
    }

    #[test]
    fn rows_without_end_are_refused() {
        let many = ",z".repeat(1 << 20);
        for (text, line) in [(format!("x,y{many}\n"), 1), (format!("x,y\n1,2{many}\n"), 2)] {
            match parse(text.as_bytes()) {
                Err(Problem::Points { at: Some((at, _)), detail, .. }) if at == line => {
                    assert!(detail.contains("more than 1048576 bytes"), "{detail}");
                }
                other => panic!("{other:?}"),
            }
        }
        let few = (0..50).map(|at| format!("c{at}")).collect::<Vec<_>>().join(",");
        let error = parse(few.as_bytes()).unwrap_err().to_string();
        assert!(error.contains("`c23`, ...") && !error.contains("c24"), "{error}");
    }

    #[test]
    fn truncated_tables_do_not_panic() {
        let whole = b"x,y,\"height\"\n1,2,\"3\"\n4,5,6\n";
        (0..whole.len()).for_each(|length| drop(parse(&whole[..length])));
    }
}
