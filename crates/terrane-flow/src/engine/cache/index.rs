//! Index files: the entry of a key as text with a checksum.

use super::entry::{Entry, Ids, Known, NotKept, Reason};
use crate::model::node_key::Key;
use crate::model::value_id::ValueId;

const HEADER: &str = "terrane index 3";

/// The text of the index file of a key.
pub fn text(key: &Key, entry: &Entry) -> String {
    let mut text = format!("{HEADER}\n{}\n", key.0.hex());
    for id in &*entry.ids {
        text += &format!("output {}\n", id.hex());
    }
    if let Some(NotKept { node, reason }) = &entry.not_kept {
        text += &format!("{} {node}\n", reason.word());
    }
    for warning in &*entry.warnings {
        text += &format!("warning {}\n", serde_json::Value::from(warning.as_str()));
    }
    let check = blake3::hash(text.as_bytes()).to_hex();
    text += &check[..16];
    text.push('\n');
    text
}

/// Reads the content of an index file.
///
/// # Errors
/// The reason why the file is not a valid entry of the key.
pub fn parse(bytes: &[u8], key: &Key) -> Result<Entry, String> {
    let text = std::str::from_utf8(bytes).map_err(|_| "it is not text".to_owned())?;
    let lines: Vec<&str> = text.lines().collect();
    let [header, own, rest @ .., _check] = &lines[..] else { return Err("it is too short".to_owned()) };
    if *header != HEADER {
        return Err("it was not written by this version".to_owned());
    }
    if *own != key.0.hex() {
        return Err("it belongs to another key".to_owned());
    }
    let (mut ids, mut warnings, mut not_kept) = (Ids::new(), Vec::new(), None);
    for line in rest {
        let (word, what) = line.split_once(' ').unwrap_or((line, ""));
        let is_read = match word {
            "output" => ValueId::from_hex(what).map(|id| ids.push(id)).is_some(),
            "warning" => serde_json::from_str(what).map(|warning| warnings.push(warning)).is_ok(),
            _ => {
                not_kept = Reason::of_word(word).map(|reason| NotKept { node: what.into(), reason });
                not_kept.is_some()
            }
        };
        if !is_read {
            return Err(format!("`{word}` line is invalid"));
        }
    }
    let known = Known { ids, warnings: warnings.into(), not_kept };
    let entry = Entry::from(known);
    if text == self::text(key, &entry) { Ok(entry) } else { Err("its checksum does not match".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::value::Digest;

    #[test]
    fn written_entries_are_read_and_damaged_ones_are_rejected() {
        let key = Key(Digest([7; 32]));
        let not_kept = NotKept { node: "Combine".into(), reason: Reason::Cheap };
        let entry = Entry::from(Known {
            ids: [ValueId([1; 32]), ValueId([2; 32])].into_iter().collect(),
            warnings: ["a \"b\"\nc".to_owned()].into(),
            not_kept: Some(not_kept),
        });
        let text = text(&key, &entry);
        assert_eq!(parse(text.as_bytes(), &key), Ok(entry));
        assert!(parse(text.as_bytes(), &Key(Digest([8; 32]))).is_err());
        for at in 0..text.len() {
            let mut harmed = text.clone().into_bytes();
            harmed[at] ^= 1;
            assert!(parse(&harmed, &key).is_err(), "byte {at}");
            assert!(parse(&text.as_bytes()[..at], &key).is_err() || at == text.len() - 1, "{at} bytes");
        }
    }
}
