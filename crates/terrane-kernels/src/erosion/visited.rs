//! Which samples a scheme visits.

/// Which samples a scheme visits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Visited {
    /// All of them.
    All,
    /// All but those on the map's border, which take what their neighbours send and send nothing themselves:
    /// what the program behind the figures of Olsen (2004) does. Material piles up on the border.
    Inside,
}
