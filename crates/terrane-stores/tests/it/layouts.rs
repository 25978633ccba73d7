//! Layouts of worlds in stores: every patch is in one block, every sample is stored once, and each level
//! consists of samples of the one below.

use std::collections::BTreeSet;

use proptest::prelude::*;
use terrane_grid::{Domain, Tiling};
use terrane_runs::patches::Patches;
use terrane_stores::{Layer, Layout, Pixel};

fn layout(size: (usize, usize), low: (i64, i64), count: (i64, i64), block: u32) -> Layout {
    let domain = Domain { size, spacing: 7.5, origin: (30.0, -15.0) };
    let layer = Layer { name: "a".into(), file: "a.tif".into(), pixel: Pixel::Number, entry: 0 };
    let tiling = Tiling::new(&domain).expect("it has samples");
    let patches = Patches { low, high: (low.0 + count.0 - 1, low.1 + count.1 - 1) };
    Layout::new(tiling, patches, block, vec![layer]).expect("it is not too large")
}

proptest! {
    #[test]
    fn every_patch_is_in_one_block(
        size in (2usize..40, 2usize..40),
        low in (-50i64..50, -50i64..50),
        count in (1i64..20, 1i64..20),
        block in 1u32..9,
    ) {
        let layout = layout(size, low, count, block);
        let mut seen = BTreeSet::new();
        for block in layout.blocks().iter() {
            let patches = layout.patches_of(block);
            prop_assert!(patches.count() > 0);
            for patch in patches.iter() {
                prop_assert!(seen.insert(patch), "{patch:?} twice");
            }
        }
        let all: BTreeSet<_> = layout.patches.iter().collect();
        prop_assert_eq!(seen, all);
    }

    #[test]
    fn each_level_has_every_second_sample_of_the_one_below(
        size in (2usize..200, 2usize..200),
        count in (1i64..40, 1i64..40),
        block in 1u32..20,
    ) {
        let layout = layout(size, (3, -2), count, block);
        let (levels, blocks) = (layout.levels(), layout.blocks().high);
        prop_assert!(levels >= 1);
        for level in 0..levels {
            let (columns, rows) = layout.of_block(level);
            let chunk = layout.of_chunk(level);
            prop_assert_eq!((columns % chunk.0, rows % chunk.1), (0, 0), "chunks fill a block");
            prop_assert_eq!((columns << level, rows << level), layout.of_block(0), "no sample is cut");
            // Blocks cover all samples, and none is empty.
            let all = layout.size(level);
            prop_assert!(columns * (blocks.0 as u64 + 1) >= all.0 && columns * (blocks.0 as u64) < all.0);
            prop_assert!(rows * (blocks.1 as u64 + 1) >= all.1 && rows * (blocks.1 as u64) < all.1);
            // Samples are at the positions of the level-0 samples they are copies of.
            let (own, fine) = (layout.domain(level), layout.domain(0));
            prop_assert_eq!(own.origin, fine.origin);
            prop_assert_eq!(own.x(1).to_bits(), fine.x(1 << level).to_bits());
        }
    }
}

#[test]
fn a_small_world_by_hand() {
    // Three by two patches of 4 x 4 samples, plus the shared ones, in blocks of 2 x 2 patches.
    let layout = layout((5, 5), (0, 0), (3, 2), 2);
    assert_eq!(layout.size(0), (12, 8));
    assert_eq!((layout.of_block(0), layout.of_chunk(0)), ((8, 8), (4, 4)));
    assert_eq!(layout.blocks().high, (1, 0));
    assert_eq!(layout.patches_of((1, 0)), Patches { low: (2, 0), high: (2, 1) });
    assert_eq!(layout.levels(), 1, "it is small enough");
    assert_eq!(layout.domain(0).origin, (30.0, -15.0));
}

#[test]
fn layouts_beyond_the_limits_are_refused() {
    let tiling = |side| {
        Tiling::new(&Domain { size: (side, 9), spacing: 1.0, origin: (0.0, 0.0) }).expect("it has samples")
    };
    let patches = |columns: i64| Patches { low: (0, 0), high: (columns - 1, 0) };
    for (side, columns, block, said) in [
        (9, 4, 0, "cannot have 0 patches"),
        (9, 4, 2000, "cannot have 2000 patches"),
        (100_001, 4, 8, "are too large"),
        (65_537, 1 << 20, 1, "are too large"),
    ] {
        let Err(failure) = Layout::new(tiling(side), patches(columns), block, Vec::new()) else {
            panic!("{said}")
        };
        assert!(failure.to_string().contains(said), "{failure}");
    }
}
