//! SIMD levels.

/// The width of vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Level {
    /// What every machine of the architecture supports: SSE2 on x86-64, NEON on AArch64.
    Baseline,
    /// AVX2: eight samples.
    Avx2,
    /// AVX-512 with the extensions of Ice Lake and Zen 4: sixteen samples.
    Avx512,
}
