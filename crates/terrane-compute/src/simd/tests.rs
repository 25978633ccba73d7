use fearless_simd::{Fallback, prelude::*};
use proptest::prelude::*;

use super::*;

/// Every operation on 16 numbers and words, as bits.
fn all<S: Simd>(simd: S, floats: [&[f32; 16]; 2], words: [&[u32; 16]; 2]) -> Vec<Vec<u32>> {
    let mut results = vec![Vec::new(); 18];
    for at in (0..16).step_by(S::f32s::LEN) {
        let [a, b] = floats.map(|from| load(simd, &from[at..]));
        let [m, n] = words.map(|from| load_words(simd, &from[at..]));
        let (whole, above) = split(simd, a);
        let (x, y) = octant(simd, m, 3.0, 1.5);
        let one = S::f32s::splat(simd, 1.0);
        let none = S::u32s::splat(simd, 0);
        let numbers = [
            a + b,
            a - b,
            a * b,
            a / b,
            lesser(simd, a, b),
            greater(simd, a, b),
            a.abs(),
            above,
            a.simd_ge(b).select(a, one),
            a.simd_gt(b).select(one, b),
            a.simd_eq(b).select(one, a),
            x,
            y,
            number(simd, m),
        ];
        // Words are checked as numbers: 16-bit halves, which floats hold exactly.
        let words = [whole, m + n, times(simd, m, n), m ^ (n >> 15), a.simd_gt(b).select(m, none)];
        let all = numbers.into_iter().chain(words.map(|word| number(simd, word >> 16)));
        for (numbers, result) in all.zip(&mut results) {
            // Normalises not-a-number, which has many representations.
            let bits = |x: &f32| if x.is_nan() { 1 } else { x.to_bits() };
            result.extend(numbers.as_slice().iter().map(bits));
        }
    }
    // One result for all sixteen, whatever the number of lanes.
    let equal = |with: [&[f32; 16]; 2]| {
        let mut pieces = (0..16).step_by(S::f32s::LEN);
        pieces.all(|at| load(simd, &with[0][at..]).simd_eq(load(simd, &with[1][at..])).all_true())
    };
    results.push(vec![u32::from(equal(floats)), u32::from(equal([floats[0]; 2]))]);
    results
}

fn numbers() -> impl Strategy<Value = f32> {
    let odd = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 8_388_608.5, 2.147_483_6e9, 4.0e9, -2.147_483_6e9, -4.0e9];
    let odder = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1.0e-40, -1.0e-40, f32::MAX, -0.999_999_94];
    prop_oneof![any::<f32>(), -1.0e5f32..1.0e5, prop::sample::select([&odd[..], &odder].concat())]
}

proptest! {
    #[test]
    fn levels_agree(
        a in prop::array::uniform16(numbers()), b in prop::array::uniform16(numbers()), m: [u32; 16],
        n: [u32; 16],
    ) {
        let (floats, words) = ([&a, &b], [&m, &n]);
        let plain = all(Fallback::new(), floats, words);
        for level in Level::available() {
            let found = crate::dispatch!(level, simd => all(simd, floats, words));
            prop_assert_eq!(&found, &plain, "{:?}", level);
        }
        // What the operations are defined to return.
        for lane in 0..16 {
            let (a, b) = (a[lane], b[lane]);
            let bits = |x: f32| if x.is_nan() { 1 } else { x.to_bits() };
            prop_assert_eq!(plain[4][lane], bits(if a < b { a } else { b }));
            prop_assert_eq!(plain[5][lane], bits(if a > b { a } else { b }));
            let inside = a.abs() < 2_147_483_648.0;
            let floor = if inside { a.floor() } else { -2_147_483_648.0 };
            prop_assert_eq!(plain[7][lane], bits(if inside { a - floor } else { 0.0 }));
            prop_assert_eq!(plain[14][lane], (((floor as i32 as u32) >> 16) as f32).to_bits());
        }
    }
}
