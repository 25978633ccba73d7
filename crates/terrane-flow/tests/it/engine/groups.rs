//! Groups of ports and parameters that several nodes share.

use terrane_flow::syntax::{Literally, Tree};
use terrane_flow::testing::Number;
use terrane_flow::{Declare as _, Field, Fields, FilePath, Group, Input, Node, OptionalInput, Param, Source};

/// What lies beside.
#[derive(Clone, Debug, Group)]
struct Beside<T: Param + Default> {
    /// On the left.
    #[input]
    left: OptionalInput<Number>,
    /// On the right.
    #[input]
    right: OptionalInput<Number>,
    /// How far.
    #[param(default = T::default())]
    far: T,
    /// A file.
    #[param(default = None)]
    file: Option<FilePath>,
}

/// A node with groups between its own fields.
#[derive(Clone, Debug, Node)]
#[output(out: Number, doc = "A number.")]
struct Grouped {
    /// The first.
    #[input]
    first: Input<Number>,
    /// The first parameter.
    #[param(default = 1.0)]
    one: f64,
    /// Beside.
    #[group]
    beside: Beside<u32>,
    /// The last.
    #[input]
    last: OptionalInput<Number>,
    /// The last parameter.
    #[param(default = true)]
    two: bool,
}

#[test]
fn a_group_stands_where_its_field_is() {
    let spec = Grouped::spec();
    let names: Vec<_> = spec.inputs.iter().map(|input| input.name).collect();
    assert_eq!(names, ["first", "left", "right", "last"]);
    let names: Vec<_> = spec.params.iter().map(|param| param.name).collect();
    assert_eq!(names, ["one", "far", "file", "two"]);

    let texts = [("last", "\"l\""), ("right", "\"r\""), ("far", "7"), ("two", "false"), ("first", "\"f\"")];
    let trees = texts.map(|(_, text)| Tree::parse(text));
    let field = |(at, (name, value))| Field {
        name,
        name_span: 0..0,
        value,
        value_span: 0..0,
        is_wrong: false,
        tree: Tree::value(&trees[at]),
    };
    let given: Vec<Field<'_>> = texts.into_iter().enumerate().map(field).collect();
    let mut fields = Fields::new(spec, &given, &Literally);
    let mut node = Grouped::from_fields(&mut fields);
    assert!(fields.is_right());
    let params: Vec<String> = (0..4).map(|index| node.param(index)).collect();
    assert_eq!(params, ["1.0", "7", "None", "false"]);
    let wired = |node: &Grouped, index: usize| match node.port(index).source() {
        Source::Wire(to) => to.to_string(),
        _ => String::new(),
    };
    assert_eq!((0..4).map(|index| wired(&node, index)).collect::<Vec<_>>(), ["f", "", "r", "l"]);
    node.port_mut(1).connect(Source::Unset);
    node.beside.file = Some(FilePath::new("a.txt"));
    let mut files = 0;
    node.files(&mut |_| files += 1);
    assert_eq!(files, 1);
}
