//! Writes parts of the tree on one line.

use super::groups::{Group, Item, Part};

/// Appends to a line while there is room.
pub struct Flat<'a> {
    text: &'a mut String,
    room: usize,
}

impl Group<'_> {
    /// Whether several items may share a line in a group that spans several lines. This is allowed in lists,
    /// and in maps that begin with a line break in the original text.
    pub fn has_rows(&self) -> bool {
        self.open == "[" || (self.open == "{" && self.spread)
    }

    /// Whether the group consists of round brackets around one value without a name. A comma after this value
    /// may carry meaning, so it is kept as it was.
    pub fn is_single(&self) -> bool {
        let named = |item: &Item<'_>| item.parts().iter().any(|part| matches!(part, Part::Colon));
        self.open == "(" && self.items.len() == 1 && !named(&self.items[0])
    }
}

impl<'a> Flat<'a> {
    /// Appends what `write` produces if it fits into `room` columns and needs no line break. Otherwise
    /// appends nothing.
    pub fn fits(text: &'a mut String, room: usize, write: impl FnOnce(&mut Self) -> Option<()>) -> bool {
        let before = text.len();
        let mut flat = Self { text, room };
        let fits = write(&mut flat).is_some();
        if !fits {
            flat.text.truncate(before);
        }
        fits
    }

    fn push(&mut self, text: &str) -> Option<()> {
        self.room = self.room.checked_sub(columns(text))?;
        self.text.push_str(text);
        (!text.contains('\n')).then_some(())
    }

    /// Appends an item with the comments in front of it.
    pub fn front(&mut self, item: &Item<'_>) -> Option<()> {
        for comment in item.before() {
            (!comment.ends_line).then_some(())?;
            self.push(comment.text)?;
            self.push(" ")?;
        }
        self.parts(item.parts())
    }

    pub fn item(&mut self, item: &Item<'_>) -> Option<()> {
        self.front(item)?;
        for comment in item.after() {
            (!comment.is_line()).then_some(())?;
            self.push(" ")?;
            self.push(comment.text)?;
        }
        Some(())
    }

    pub fn parts(&mut self, parts: &[Part<'_>]) -> Option<()> {
        let mut previous = None;
        for part in parts {
            self.push(gap(previous, part))?;
            match part {
                Part::Word(text) => self.push(text)?,
                Part::Colon => self.push(":")?,
                Part::Comment(text) => {
                    (!text.starts_with("//")).then_some(())?;
                    self.push(text)?;
                }
                Part::Group(group) => self.group(group)?,
            }
            previous = Some(part);
        }
        Some(())
    }

    pub fn group(&mut self, group: &Group<'_>) -> Option<()> {
        let spread = group.spread && group.open != "(" && !group.items.is_empty();
        (group.head.is_empty() && !spread).then_some(())?;
        let pad = if group.open == "{" && !group.items.is_empty() { " " } else { "" };
        self.push(group.open)?;
        self.push(pad)?;
        for (index, item) in group.items.iter().enumerate() {
            if index > 0 {
                self.push(", ")?;
            }
            self.item(item)?;
        }
        if group.comma && group.is_single() {
            self.push(",")?;
        }
        for (index, comment) in group.tail.iter().enumerate() {
            (!comment.ends_line).then_some(())?;
            if index > 0 || !group.items.is_empty() {
                self.push(" ")?;
            }
            self.push(comment.text)?;
        }
        self.push(pad)?;
        self.push(group.close)
    }
}

/// The blank between two parts.
pub fn gap(previous: Option<&Part<'_>>, next: &Part<'_>) -> &'static str {
    match (previous, next) {
        (None, _) | (_, Part::Colon) | (Some(Part::Word(_) | Part::Group(_)), Part::Group(_)) => "",
        _ => " ",
    }
}

/// The width of a text in columns.
pub fn columns(text: &str) -> usize {
    if text.is_ascii() { text.len() } else { text.chars().count() }
}
