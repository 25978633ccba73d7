//! A node that crops a raster with overlap to its patch.

use std::sync::LazyLock;

use terrane_flow::{
    AnyInput, Context, Cost, Holes, InputSpec, Kind, Node, NodeError, NodeSpec, OutputSpec, ParamSpec, Port,
    Range, Shape, Source, Tiles, Value,
};
use terrane_nodes::Terrain;
use terrane_nodes::values::{KINDS, TerrainKind};

/// Removes the samples around a patch.
#[derive(Clone)]
pub struct Cut {
    spec: &'static NodeSpec,
    whole: AnyInput,
    /// The number of samples to remove on each side.
    rim: u64,
}

impl Cut {
    /// A node that crops rasters of a kind; `None` for kinds that are not rasters.
    pub fn new(kind: &'static Kind, rim: u64, whole: Source) -> Option<Self> {
        static SPECS: LazyLock<Vec<NodeSpec>> = LazyLock::new(|| {
            KINDS.iter().filter(|kind| kind.is_raster).map(|kind| spec(kind.kind)).collect()
        });
        let spec = SPECS.iter().find(|spec| spec.outputs[0].kind == kind)?;
        let mut input = AnyInput::new(kind);
        input.connect(whole);
        Some(Self { spec, whole: input, rim })
    }
}

fn spec(kind: &'static Kind) -> NodeSpec {
    let whole = InputSpec {
        name: "whole",
        docs: "The raster of the patch and the samples around it.",
        unit: "",
        kind,
        or: None,
        optional: false,
        scalar: false,
        none: false,
        default: None,
        range: Range::default(),
        any_size: true,
    };
    let rim = ParamSpec {
        name: "rim",
        docs: "How many samples to remove on each side.",
        unit: "samples",
        default: None,
        range: Range::default(),
        shape: || Shape::Integer { min: 0, max: i128::from(u64::MAX) },
        place: None,
        joins: None,
        each: None,
    };
    let own = OutputSpec {
        name: "own",
        docs: "The patch's own raster.",
        unit: "",
        kind,
        lazy: false,
        whole: false,
    };
    NodeSpec {
        name: "Cut",
        docs: "Crops a raster to a patch.",
        category: "worlds",
        words: "",
        paper: "",
        version: 1,
        tiles: Tiles::Pointwise,
        because: "",
        working_maps: 0.0,
        header: true,
        cost: Cost::Cheap,
        holes: Holes::Own,
        suits: &[],
        fits: &[],
        main: &[],
        presets: &[],
        inputs: Box::leak(Box::new([whole])),
        params: Box::leak(Box::new([rim])),
        outputs: Box::leak(Box::new([own])),
    }
}

impl Node for Cut {
    fn spec(&self) -> &'static NodeSpec {
        self.spec
    }
    fn port(&self, _: usize) -> &dyn Port {
        &self.whole
    }
    fn port_mut(&mut self, _: usize) -> &mut dyn Port {
        &mut self.whole
    }
    fn param(&self, _: usize) -> String {
        self.rim.to_string()
    }
    fn run(&mut self, cx: &Context<'_>) -> Result<Vec<Value>, NodeError> {
        let size = cx.header::<Terrain>().domain.size;
        let rim = self.rim as usize;
        let own = match self.whole.source() {
            Source::Bound(value) => {
                TerrainKind::find(value.kind()).and_then(|kind| kind.part(value, (rim, rim), size))
            }
            _ => None,
        };
        own.map(|own| vec![own]).ok_or_else(|| {
            NodeError::failed(
                format!("it does not have {} x {} samples with {rim} around them", size.0, size.1),
                "this is a defect in Terrane: please report it with the world",
            )
        })
    }
}
