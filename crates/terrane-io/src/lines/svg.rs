//! Reading lines from SVG pictures.

use terrane_grid::Polyline;
use usvg::roxmltree::{Document, Error, ParsingOptions};
use usvg::tiny_skia_path::{PathSegment, Point};
use usvg::{Group, ImageHrefResolver, Node, Options, Tree};

use super::line::{Line, MAX_COORDINATE, MAX_POINTS, checked, problem, too_many_points};
use super::{svg_limits, svg_lists};
use crate::{Problem, xml_limits};

/// The maximum deviation of a line from its curve, in pixels.
const TOLERANCE: f64 = 0.05;

/// The maximum number of subdivisions of a curve.
const MAX_SUBDIVISIONS: u32 = 10;

/// The maximum number of elements and texts of a file. Each takes about a hundred times the memory of its
/// shortest text.
const MAX_ELEMENTS: u32 = 250_000;

/// The outlines of all displayed shapes, in pixels from the upper left corner. Groups and transforms are
/// resolved; text and images are ignored.
pub fn parse(bytes: &[u8]) -> Result<Vec<Line>, Problem> {
    // Embedded images are not resolved: no other file is read.
    let image_href_resolver =
        ImageHrefResolver { resolve_data: Box::new(|_, _, _| None), resolve_string: Box::new(|_, _| None) };
    let options = Options { image_href_resolver, ..Options::default() };
    let wrong = |at, detail| Problem::Lines { at, detail, remedy: "write an XML file with paths" };
    let text = std::str::from_utf8(bytes).map_err(|_| wrong(None, "it is not UTF-8 text".to_owned()))?;
    xml_limits::check(text).map_err(|heavy| Problem::Lines {
        at: Some(heavy.at),
        detail: heavy.what,
        remedy: heavy.remedy,
    })?;
    let xml = ParsingOptions { allow_dtd: true, nodes_limit: MAX_ELEMENTS, ..ParsingOptions::default() };
    let document = Document::parse_with_options(text, xml).map_err(|error| {
        if matches!(error, Error::NodesLimitReached) {
            let detail = format!("there are more than {MAX_ELEMENTS} elements");
            return problem(detail, "remove empty groups, and join paths");
        }
        wrong(Some((error.pos().row as usize, error.pos().col as usize)), error.to_string())
    })?;
    svg_limits::check(&document)?;
    svg_lists::check_styles(&document)?;
    let tree = Tree::from_xmltree(&document, &options).map_err(|error| {
        if matches!(error, usvg::Error::ParsingFailed(Error::NodesLimitReached)) {
            let detail = "there are too many elements, counting each copy that `use` makes, or more than \
                1024 are nested in each other";
            return problem(detail.to_owned(), "replace copies by paths, and remove groups around groups");
        }
        wrong(None, error.to_string())
    })?;
    let mut lines = Lines::default();
    lines.group(tree.root())?;
    checked(lines.lines, "draw a path; shapes that are not displayed are ignored")
}

#[derive(Default)]
struct Lines {
    lines: Vec<Line>,
    shapes: usize,
    /// The points of all lines, including the unfinished one.
    points: usize,
    /// The unfinished line.
    line: Vec<(f64, f64)>,
}

impl Lines {
    fn group(&mut self, group: &Group) -> Result<(), Problem> {
        for node in group.children() {
            match node {
                Node::Group(group) => self.group(group)?,
                Node::Path(path) => self.path(path)?,
                Node::Image(_) | Node::Text(_) => {}
            }
        }
        Ok(())
    }

    fn path(&mut self, path: &usvg::Path) -> Result<(), Problem> {
        let transform = path.abs_transform();
        let placed = path.data().clone().transform(transform);
        let Some(placed) = placed else {
            return Err(problem(format!("shape {} has no position", self.shapes), "repair its transform"));
        };
        self.shapes += 1;
        let mut start = (0.0, 0.0);
        for segment in placed.segments() {
            match segment {
                PathSegment::MoveTo(to) => {
                    self.end();
                    start = position(to);
                    self.push(start)?;
                }
                PathSegment::LineTo(to) => self.push(position(to))?,
                PathSegment::QuadTo(a, to) => {
                    let from = self.line.last().copied().unwrap_or(start);
                    // The same curve as a cubic.
                    let third = |end: (f64, f64), a: (f64, f64)| {
                        (end.0 + (a.0 - end.0) * 2.0 / 3.0, end.1 + (a.1 - end.1) * 2.0 / 3.0)
                    };
                    let (a, to) = (position(a), position(to));
                    self.curve([from, third(from, a), third(to, a), to], MAX_SUBDIVISIONS)?;
                }
                PathSegment::CubicTo(a, b, to) => {
                    let from = self.line.last().copied().unwrap_or(start);
                    self.curve([from, position(a), position(b), position(to)], MAX_SUBDIVISIONS)?;
                }
                PathSegment::Close => {
                    self.push(start)?;
                    self.end();
                    self.push(start)?;
                }
            }
        }
        self.end();
        Ok(())
    }

    /// Finishes a line. A single point is not a line.
    fn end(&mut self) {
        let points = std::mem::take(&mut self.line);
        if points.len() > 1 {
            let line = Polyline { points, closed: false };
            self.lines.push(Line { line, feature: self.shapes - 1, slope: None, width: None });
        }
    }

    /// Adds a point to the line. Fails if there are too many points or if the point is too far away, before
    /// more memory is used.
    fn push(&mut self, (x, y): (f64, f64)) -> Result<(), Problem> {
        if !(x.abs() <= MAX_COORDINATE && y.abs() <= MAX_COORDINATE) {
            let detail = format!("a point of shape {} is at ({x}, {y})", self.shapes - 1);
            return Err(problem(detail, "coordinates must be finite and within 1e12 of 0"));
        }
        if self.line.last() != Some(&(x, y)) {
            self.points += 1;
            self.line.push((x, y));
        }
        if self.points > MAX_POINTS { Err(too_many_points()) } else { Ok(()) }
    }

    /// Halves a cubic curve until its second differences are so small that each part deviates from the chord
    /// between its ends by at most the tolerance.
    fn curve(&mut self, [a, b, c, d]: [(f64, f64); 4], subdivisions: u32) -> Result<(), Problem> {
        // The squared length of a second difference. A curve deviates from its chord by at most 6 · 1/8 of
        // the length of its larger second difference.
        let bend = |a: (f64, f64), b: (f64, f64), c: (f64, f64)| {
            let (x, y) = (a.0 - 2.0 * b.0 + c.0, a.1 - 2.0 * b.1 + c.1);
            x * x + y * y
        };
        let max = TOLERANCE * 4.0 / 3.0;
        if subdivisions == 0 || bend(a, b, c).max(bend(b, c, d)) <= max * max {
            return self.push(d);
        }
        let half = |a: (f64, f64), b: (f64, f64)| ((a.0 + b.0) / 2.0, (a.1 + b.1) / 2.0);
        let (ab, bc, cd) = (half(a, b), half(b, c), half(c, d));
        let (abc, bcd) = (half(ab, bc), half(bc, cd));
        let middle = half(abc, bcd);
        self.curve([a, ab, abc, middle], subdivisions - 1)?;
        self.curve([middle, bcd, cd, d], subdivisions - 1)
    }
}

fn position(point: Point) -> (f64, f64) {
    // Adding 0 turns -0 into 0, so that equal positions have equal bits.
    (f64::from(point.x) + 0.0, f64::from(point.y) + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn svg(body: &str) -> String {
        format!(r#"<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">{body}</svg>"#)
    }

    fn points(body: &str) -> Vec<Vec<(f64, f64)>> {
        parse(svg(body).as_bytes()).unwrap().into_iter().map(|line| line.line.points).collect()
    }

    #[test]
    fn paths_shapes_and_transforms_are_lines() {
        assert_eq!(
            points(r#"<path d="M1 2 L3 4 H 9 m 1 1 l 5 0" stroke="red" fill="none"/>"#),
            [vec![(1.0, 2.0), (3.0, 4.0), (9.0, 4.0)], vec![(10.0, 5.0), (15.0, 5.0)],]
        );
        let square = vec![(12.0, 22.0), (16.0, 22.0), (16.0, 26.0), (12.0, 26.0), (12.0, 22.0)];
        assert_eq!(
            points(
                r#"<g transform="translate(10 20) scale(2)"><rect x="1" y="1" width="2" height="2"/></g>"#
            ),
            std::slice::from_ref(&square)
        );
        assert_eq!(points(r#"<polygon points="12,22 16,22 16,26 12,26"/>"#), [square]);
        assert_eq!(
            points(r#"<line x1="0" y1="5" x2="7" y2="5" stroke="red"/>"#),
            [vec![(0.0, 5.0), (7.0, 5.0)]]
        );
    }

    #[test]
    fn a_circle_is_within_the_tolerance() {
        let circle = points(r#"<circle cx="50" cy="50" r="40"/>"#);
        assert!(circle[0].len() > 30 && circle[0].first() == circle[0].last());
        for pair in circle[0].windows(2) {
            let middle = ((pair[0].0 + pair[1].0) / 2.0 - 50.0, (pair[0].1 + pair[1].1) / 2.0 - 50.0);
            let off = ((middle.0 * middle.0 + middle.1 * middle.1).sqrt() - 40.0).abs();
            // The curves that SVG renderers use for circles deviate by 0.03 % of the radius.
            assert!(off <= TOLERANCE + 0.012, "{off}");
        }
    }

    /// Files of a hundred bytes that used to take all memory, or to take forever.
    #[test]
    fn excessive_files_are_refused() {
        let refused = |body: &str| match parse(svg(body).as_bytes()) {
            Err(Problem::Lines { at, detail, .. }) => (at, detail),
            other => panic!("{body}: {other:?}"),
        };
        let (at, detail) = refused("\n<path d=\"M0 0A30 50 0 0 1 10 1e38Z\"/>");
        assert_eq!(
            (at, detail.as_str()),
            (Some((2, 7)), "`d` has the number 100000000000000000000000000000000000000")
        );
        assert!(refused(r#"<circle r="1e30"/>"#).1.contains("`r` has the number"));
        let marker =
            r#"<marker id="a"><path d="M0 0L1 1"/></marker><path d="M0 0L1 1" marker-mid="url(#a)"/>"#;
        assert!(refused(marker).1.contains("markers are not supported"));
        assert!(refused(&"<g/>".repeat(300_000)).1.contains("more than 250000 elements"));
        // Each curve has a thousand points.
        let curves = format!("<path d=\"M0 0{}\"/>", " C 9e6 0 -9e6 9e6 0 9e6".repeat(20_000));
        assert!(refused(&curves).1.contains("more than 1000000 points"));
    }

    #[test]
    fn errors_name_their_position() {
        let error_of = |text: &str| match parse(text.as_bytes()) {
            Err(Problem::Lines { at, detail, remedy }) => (at, format!("{detail}; {remedy}")),
            other => panic!("{other:?}"),
        };
        assert!(matches!(
            error_of("<svg xmlns=\"http://www.w3.org/2000/svg\">\n <path</svg>").0,
            Some((2, _))
        ));
        assert!(error_of(&svg("")).1.contains("there are no lines"));
        assert!(error_of(&svg(r#"<path d="M0 0L3 4" display="none"/>"#)).1.contains("not displayed"));
        assert!(error_of("GIF89a").0.is_some());
        let whole = svg(r#"<path d="M1 2 L3 4 C 1 2 3 4 5 6" stroke="red"/>"#);
        (0..whole.len()).for_each(|length| drop(parse(&whole.as_bytes()[..length])));
    }
}
