//! Python's buffer protocol. Arrays share the memory of values and are read-only. The samples of arrays from
//! Python are copied.

#![allow(unsafe_code, reason = "Python reads samples through its buffer protocol")]
#![expect(unsafe_code, reason = "Python's buffer protocol is made of pointers")]

use std::ffi::{CStr, c_void};
use std::ptr;

use pyo3::buffer::PyBuffer;
use pyo3::exceptions::PyBufferError;
use pyo3::ffi::{Py_buffer, PyBUF_FORMAT, PyBUF_ND, PyBUF_STRIDES, PyBUF_WRITABLE};
use pyo3::prelude::*;

/// A type of number in buffers.
pub trait Element {
    /// Its format character in Python's `struct`.
    const FORMAT: &'static CStr;
}

impl Element for f32 {
    const FORMAT: &'static CStr = c"f";
}

impl Element for u8 {
    const FORMAT: &'static CStr = c"B";
}

/// Samples in contiguous rows.
pub struct Samples {
    start: *const c_void,
    bytes: usize,
    element: usize,
    format: &'static CStr,
    shape: Box<[isize]>,
}

impl Samples {
    /// Takes samples and their number along each axis.
    pub fn new<T: Element>(samples: &[T], shape: &[isize]) -> Self {
        Self {
            start: samples.as_ptr().cast(),
            bytes: size_of_val(samples),
            element: size_of::<T>(),
            format: T::FORMAT,
            shape: shape.into(),
        }
    }
}

/// Fills a view of the samples of `owner`.
///
/// # Safety
/// `view` must be a view that Python passes to be filled. The samples must live as long as `owner` and must
/// not change.
pub unsafe fn fill<T>(
    view: *mut Py_buffer,
    owner: &Bound<'_, T>,
    samples: &Samples,
    flags: i32,
) -> PyResult<()> {
    if view.is_null() {
        return Err(PyBufferError::new_err("the view is missing"));
    }
    if flags & PyBUF_WRITABLE == PyBUF_WRITABLE {
        return Err(PyBufferError::new_err("values cannot be changed: copy the array first"));
    }
    // The shape, then the strides. Both live until the view is released.
    let axes = samples.shape.len();
    let mut layout = samples.shape.to_vec();
    let stride = |axis: usize| samples.shape[axis + 1..].iter().product::<isize>() * samples.element as isize;
    layout.extend((0..axes).map(stride));
    let layout = Box::into_raw(layout.into_boxed_slice());
    let wanted = |flag: i32| flags & flag == flag;
    // SAFETY: the caller guarantees that the view can be filled; `layout` has two numbers per axis.
    unsafe {
        (*view).buf = samples.start.cast_mut();
        (*view).obj = owner.clone().into_any().into_ptr();
        (*view).len = samples.bytes as isize;
        (*view).itemsize = samples.element as isize;
        (*view).readonly = 1;
        (*view).ndim = axes as i32;
        (*view).format =
            if wanted(PyBUF_FORMAT) { samples.format.as_ptr().cast_mut() } else { ptr::null_mut() };
        (*view).shape = if wanted(PyBUF_ND) { layout.cast() } else { ptr::null_mut() };
        (*view).strides =
            if wanted(PyBUF_STRIDES) { layout.cast::<isize>().add(axes) } else { ptr::null_mut() };
        (*view).suboffsets = ptr::null_mut();
        (*view).internal = layout.cast();
    }
    Ok(())
}

/// Frees the memory that [`fill`] allocated.
///
/// # Safety
/// `view` must have been filled by [`fill`], and must not be released twice.
pub unsafe fn release(view: *mut Py_buffer) {
    // SAFETY: `internal` points to the layout that `fill` allocated, with two numbers per axis.
    unsafe {
        let layout =
            ptr::slice_from_raw_parts_mut((*view).internal.cast::<isize>(), 2 * (*view).ndim as usize);
        drop(Box::from_raw(layout));
    }
}

/// A copy of a buffer's samples, and the position of the first sample that is infinite. `None` if the rows
/// are not contiguous.
pub fn copied(_: Python<'_>, buffer: &PyBuffer<f32>) -> Option<(Vec<f32>, Option<usize>)> {
    /// Number of samples copied at once: few enough to be in the processor's cache when they are checked.
    const PIECE: usize = 1 << 14;
    let cells = buffer.as_slice_ptr()?;
    let (mut samples, mut is_finite) = (Vec::<f32>::with_capacity(cells.len()), true);
    while samples.len() < cells.len() {
        let (from, count) = (samples.len(), PIECE.min(cells.len() - samples.len()));
        // SAFETY: these samples are in the buffer, which is borrowed here, and the vector has capacity for
        // them. Holding Python's lock is the only protection against changes by other threads.
        unsafe {
            let source = cells.cast::<f32>().as_ptr().add(from);
            samples.as_mut_ptr().add(from).copy_from_nonoverlapping(source, count);
            samples.set_len(from + count);
        }
        is_finite &= samples[from..].iter().fold(true, |all, sample: &f32| all & sample.is_finite());
    }
    let wrong = if is_finite { None } else { samples.iter().position(|sample| sample.is_infinite()) };
    Some((samples, wrong))
}
