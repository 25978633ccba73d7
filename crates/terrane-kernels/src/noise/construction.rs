//! The general construction DdMmNn of Thorimbert & Chopard (2018, section 2). It finds the polynomial through
//! the values at a cell's corners by solving a linear system. Tests compare the fast forms with this
//! construction.

use nalgebra::{DMatrix, DVector};

/// Exponents, or orders of derivatives, along each axis.
pub type Index = Vec<usize>;

/// All indices with `d` entries up to `most` that satisfy `pass`.
pub fn indices(d: usize, most: usize, pass: impl Fn(&Index) -> bool) -> Vec<Index> {
    let mut all: Vec<Index> = vec![Vec::new()];
    for _ in 0..d {
        all = all.iter().flat_map(|i| (0..=most).map(|e| [&i[..], &[e]].concat())).collect();
    }
    all.retain(pass);
    all
}

/// A polynomial determined by derivatives at the corners of a cell.
#[derive(Debug)]
pub struct Construction {
    d: usize,
    monomials: Vec<Index>,
    /// The derivatives that are given at every corner.
    derivatives: Vec<Index>,
    matrix: DMatrix<f64>,
}

/// The derivative of a monomial at a point.
fn derivative(monomial: &Index, orders: &Index, at: &[f64]) -> f64 {
    monomial
        .iter()
        .zip(orders)
        .zip(at)
        .map(|((&exponent, &order), x)| {
            if order > exponent {
                return 0.0;
            }
            let factor: f64 = (exponent - order + 1..=exponent).map(|f| f as f64).product();
            factor * (order..exponent).map(|_| x).product::<f64>()
        })
        .product()
}

impl Construction {
    pub fn new(d: usize, monomials: Vec<Index>, derivatives: Vec<Index>) -> Self {
        let mut rows = Vec::new();
        for corner in 0..1 << d {
            let at: Vec<f64> = (0..d).map(|axis| f64::from(corner >> axis & 1)).collect();
            for orders in &derivatives {
                rows.extend(monomials.iter().map(|monomial| derivative(monomial, orders, &at)));
            }
        }
        let matrix = DMatrix::from_row_slice((1 << d) * derivatives.len(), monomials.len(), &rows);
        Self { d, monomials, derivatives, matrix }
    }

    /// DdMmNn with as many monomials as constraints. The monomials are x₁^a₁·…·x_d^a_d with ⌊a₁/2⌋ + … +
    /// ⌊a_d/2⌋ ≤ m. For m = 1 they are those of the paper, which sets c₂₂, c₂₃, c₃₂ and c₃₃ to 0.
    pub fn least(d: usize, m: usize) -> Self {
        let monomials = indices(d, 2 * m + 1, |a| a.iter().map(|a| a / 2).sum::<usize>() <= m);
        Self::new(d, monomials, indices(d, m, |order| order.iter().sum::<usize>() <= m))
    }

    /// The polynomial with all monomials up to degree 2m + 1 along each axis. Every derivative up to order m
    /// along each axis is given.
    pub fn tensor(d: usize, m: usize) -> Self {
        Self::new(d, indices(d, 2 * m + 1, |_| true), indices(d, m, |_| true))
    }

    pub fn constraints(&self) -> usize {
        self.matrix.nrows()
    }

    pub fn coefficients(&self) -> usize {
        self.matrix.ncols()
    }

    /// The number of independent constraints.
    pub fn rank(&self) -> usize {
        self.matrix.clone().svd(false, false).rank(1e-9)
    }

    /// The value at a point, where `given(corner, orders)` is the derivative at a corner.
    pub fn at(&self, given: impl Fn(usize, &Index) -> f64, at: &[f64]) -> f64 {
        let values = (0..1 << self.d).flat_map(|corner| {
            self.derivatives.iter().map(|orders| given(corner, orders)).collect::<Vec<_>>()
        });
        let values = DVector::from_iterator(self.constraints(), values);
        let solved = self.matrix.clone().lu().solve(&values).expect("as many independent constraints");
        let zero = vec![0; self.d];
        self.monomials.iter().zip(solved.iter()).map(|(m, c)| c * derivative(m, &zero, at)).sum()
    }
}
