//! The length of records in tables, checked before they are split into cells.

/// The maximum number of bytes of a record of a table: far more than a table of this program has.
pub const MAX_RECORD: usize = 1 << 20;

/// The number of cells in a table with commas between them, and the number of the first line of the first
/// record that is longer than [`MAX_RECORD`]. Quotes may contain line breaks and commas.
#[must_use]
pub fn cells_of_table(bytes: &[u8]) -> (usize, Option<usize>) {
    let (mut cells, mut line, mut start, mut first_line, mut is_quoted) = (0, 1, 0, 1, false);
    let mut long = None;
    for (at, byte) in bytes.iter().enumerate() {
        if at - start > MAX_RECORD {
            long.get_or_insert(first_line);
        }
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'\n' | b'\r' => {
                line += usize::from(*byte == b'\n');
                if !is_quoted {
                    (cells, start, first_line) = (cells + 1, at + 1, line);
                }
            }
            b',' if !is_quoted => cells += 1,
            _ => {}
        }
    }
    (cells + 1, long)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_line_breaks_do_not_end_a_record() {
        assert_eq!(cells_of_table(b"a,b\n1,2\n"), (5, None));
        assert_eq!(cells_of_table(b"\"a,\n\"\"b\",c"), (2, None));
        let long = "x".repeat(MAX_RECORD);
        for (text, line) in [
            (format!("x,y\n1,{long}\n"), Some(2)),
            (format!("x,y\n\n1,\"\n\n{long}\"\n"), Some(3)),
            (format!("x,y\n1,\"\"\n{long}\n"), None),
        ] {
            assert_eq!(cells_of_table(text.as_bytes()).1, line);
        }
    }
}
