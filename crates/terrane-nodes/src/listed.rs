//! Lists of nodes: each family's `mod.rs` has one.

/// Defines `register`, which adds a family's nodes to a registry. `Node if "feature"` is a node that exists
/// with a feature of this crate. Without the feature, the registry says so where a graph asks for the node.
macro_rules! nodes {
    ($($node:ident $(if $feature:literal)?,)*) => {
        pub(crate) fn register(registry: &mut terrane_flow::Registry) -> Result<(), terrane_flow::NameTaken> {
            $(nodes!(@ registry, $node $($feature)?);)*
            Ok(())
        }
    };
    (@ $registry:ident, $node:ident) => {
        $registry.add::<$node>()?;
    };
    (@ $registry:ident, $node:ident $feature:literal) => {
        #[cfg(feature = $feature)]
        $registry.add::<$node>()?;
        #[cfg(not(feature = $feature))]
        $registry.add_lacking(stringify!($node), $feature);
    };
}
