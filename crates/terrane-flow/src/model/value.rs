//! Values and their kinds.

use std::any::{Any, TypeId};
use std::fmt;
use std::io::{self, Write};
use std::sync::Arc;

pub use crate::model::digest::Digest;
use crate::model::digest::Hashing;
use crate::model::holes::HoleMask;

/// A type of value that can be connected from an output to an input.
///
/// Each kind of value is one Rust type. Two values with the same encoded bytes count as the same value, on
/// every machine. Therefore the encoding must be canonical and little-endian.
pub trait Data: Any + Send + Sync + Sized {
    /// The name of the kind in messages and docs, such as `"map"`; unique in a registry.
    const KIND: &'static str;

    /// Writes the canonical bytes.
    ///
    /// # Errors
    /// Only those of `out`.
    fn encode(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Decodes the bytes of [`Data::encode`].
    ///
    /// # Errors
    /// [`io::ErrorKind::InvalidData`] if the bytes are not a valid encoding. This never panics, and allocates
    /// no more memory than the length of `bytes` justifies.
    fn decode(bytes: &[u8]) -> io::Result<Self>;

    /// Bytes of memory that the value holds.
    fn heap_bytes(&self) -> usize;

    /// The value as JSON, for kinds that are small enough to print, such as numbers and tables.
    fn to_json(&self) -> Option<serde_json::Value> {
        None
    }

    /// The columns and rows of a raster; `None` for other kinds. Before a node runs, the rasters at its ports
    /// are checked to have one size.
    fn extent(&self) -> Option<(usize, usize)> {
        None
    }

    /// The number of samples that are not finite. `holes`: not-a-numbers are holes and do not count.
    fn not_finite(&self, _holes: bool) -> usize {
        0
    }

    /// The name of a kind, and how values become values of it, for messages about a wire of the wrong kind.
    const CONVERTED: Option<(&'static str, &'static str)> = None;

    /// The remedy for a node that takes no holes, for kinds whose values can have holes.
    const WITHOUT_HOLES: Option<&'static str> = None;

    /// The samples of a raster of 32-bit numbers, row by row. Its not-a-numbers are holes. A kind with
    /// samples has [`Data::raster_mut`] and [`Data::with_raster`] too.
    fn raster(&self) -> Option<&[f32]> {
        None
    }

    /// The samples of a raster of 32-bit numbers, for editing in place.
    fn raster_mut(&mut self) -> Option<&mut [f32]> {
        None
    }

    /// A raster of the same size and place with as many other samples.
    fn with_raster(&self, _samples: Vec<f32>) -> Option<Self> {
        None
    }

    /// The holes of a raster, if it has any.
    fn holes(&self) -> Option<HoleMask> {
        None
    }

    /// The value with these holes too, if they are of its size. All holes then have one form, so that equal
    /// values have equal bytes.
    #[must_use]
    fn with_holes(this: Arc<Self>, _holes: &HoleMask) -> Arc<Self> {
        this
    }
}

/// The operations on values of one kind, for code that does not know the type.
#[derive(Clone, Copy)]
pub struct Kind {
    /// [`Data::KIND`].
    pub name: &'static str,
    type_id: fn() -> TypeId,
    encode: fn(&dyn Any, &mut dyn Write) -> io::Result<()>,
    decode: fn(&[u8]) -> io::Result<Value>,
    heap_bytes: fn(&dyn Any) -> usize,
    to_json: fn(&dyn Any) -> Option<serde_json::Value>,
    extent: fn(&dyn Any) -> Option<(usize, usize)>,
    not_finite: fn(&dyn Any, bool) -> usize,
    raster: fn(&dyn Any) -> Option<&[f32]>,
    raster_mut: fn(&mut dyn Any) -> Option<&mut [f32]>,
    with_raster: fn(&dyn Any, Vec<f32>) -> Option<Value>,
    /// [`Data::CONVERTED`].
    pub converted: Option<(&'static str, &'static str)>,
    /// [`Data::WITHOUT_HOLES`].
    pub without_holes: Option<&'static str>,
    holes: fn(&dyn Any) -> Option<HoleMask>,
    with_holes: fn(Value, &HoleMask) -> Value,
}

impl Kind {
    /// The kind of `T`.
    #[must_use]
    pub const fn of<T: Data>() -> &'static Self {
        // There is one constant per type, so that kinds can be stored by reference.
        const {
            &Self {
                name: T::KIND,
                type_id: TypeId::of::<T>,
                encode: |value, out| downcast::<T>(value).encode(out),
                decode: |bytes| T::decode(bytes).map(Value::new),
                heap_bytes: |value| downcast::<T>(value).heap_bytes(),
                to_json: |value| downcast::<T>(value).to_json(),
                extent: |value| downcast::<T>(value).extent(),
                not_finite: |value, holes| downcast::<T>(value).not_finite(holes),
                raster: |value| downcast::<T>(value).raster(),
                raster_mut: |value| value.downcast_mut::<T>()?.raster_mut(),
                with_raster: |value, samples| downcast::<T>(value).with_raster(samples).map(Value::new),
                converted: T::CONVERTED,
                without_holes: T::WITHOUT_HOLES,
                holes: |value| downcast::<T>(value).holes(),
                with_holes: |value, holes| match value.data.downcast::<T>() {
                    Ok(data) => Value::shared(T::with_holes(data, holes)),
                    Err(data) => Value { data, ..value },
                },
            }
        }
    }

    /// The name as it stands in a sentence: `a map`, `an animation`, `paths`.
    pub(crate) fn in_a_sentence(&self) -> String {
        let name = self.name;
        match name.chars().next() {
            _ if name.ends_with('s') => name.to_owned(),
            Some('a' | 'e' | 'i' | 'o' | 'u') => format!("an {name}"),
            _ => format!("a {name}"),
        }
    }

    /// Reads a value of this kind from its canonical bytes.
    ///
    /// # Errors
    /// As [`Data::decode`].
    pub fn decode(&self, bytes: &[u8]) -> io::Result<Value> {
        (self.decode)(bytes)
    }
}

/// A `Value` is only built from a `T` together with `Kind::of::<T>()`, so the type always matches.
fn downcast<T: Data>(value: &dyn Any) -> &T {
    match value.downcast_ref() {
        Some(value) => value,
        None => unreachable!("a value carries the kind of its own type"),
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        (self.type_id)() == (other.type_id)()
    }
}

impl Eq for Kind {}

impl fmt::Debug for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// Counts the bytes of a value as long as it is in memory. The counter is dropped with the last [`Value`]
/// that shares it.
pub trait Counted: Send + Sync {
    /// Requests that holders release the value if they keep it only to save work. It can then be edited in
    /// place.
    fn release_spare(&self);
}

/// A value of any kind, shared without copying.
#[derive(Clone)]
pub struct Value {
    data: Arc<dyn Any + Send + Sync>,
    kind: &'static Kind,
    counted: Option<Arc<dyn Counted>>,
}

impl Value {
    /// Wraps a value.
    #[must_use]
    pub fn new<T: Data>(data: T) -> Self {
        Self::shared(Arc::new(data))
    }

    /// Wraps a shared value.
    #[must_use]
    pub fn shared<T: Data>(data: Arc<T>) -> Self {
        Self { data, kind: Kind::of::<T>(), counted: None }
    }

    /// The kind of the value.
    #[must_use]
    pub const fn kind(&self) -> &'static Kind {
        self.kind
    }

    /// The value as a `T`, if it is one.
    #[must_use]
    pub fn get<T: Data>(&self) -> Option<&T> {
        self.data.downcast_ref()
    }

    /// The shared value as a `T`, if it is one.
    #[must_use]
    pub fn downcast<T: Data>(self) -> Option<Arc<T>> {
        self.data.downcast().ok()
    }

    /// The value itself, if it is a `T`. It is copied only if another holder needs it.
    #[must_use]
    pub fn into_owned<T: Data + Clone>(self) -> Option<T> {
        self.release_spare();
        let data: Arc<T> = self.data.downcast().ok()?;
        Some(Arc::unwrap_or_clone(data))
    }

    /// Requests that the only other holder releases the value. With more holders, the value would be copied
    /// in any case.
    fn release_spare(&self) {
        if let Some(counted) = self.counted.as_ref().filter(|_| Arc::strong_count(&self.data) == 2) {
            counted.release_spare();
        }
    }

    /// Sets the counter of the value's bytes, and replaces any previous one.
    #[must_use]
    pub fn counted_by(self, counted: Arc<dyn Counted>) -> Self {
        Self { counted: Some(counted), ..self }
    }

    /// Whether its bytes are counted.
    #[must_use]
    pub const fn is_counted(&self) -> bool {
        self.counted.is_some()
    }

    /// Writes the canonical bytes.
    ///
    /// # Errors
    /// Only those of `out`.
    pub fn encode(&self, out: &mut dyn Write) -> io::Result<()> {
        (self.kind.encode)(&*self.data, out)
    }

    /// The digest of the kind and the canonical bytes. Takes time O(size of the value).
    #[must_use]
    pub fn digest(&self) -> Digest {
        Hashing::digest(self.kind.name, |out| self.encode(out))
    }

    /// Bytes of memory that the value holds.
    #[must_use]
    pub fn heap_bytes(&self) -> usize {
        (self.kind.heap_bytes)(&*self.data)
    }

    /// The columns and rows, if the value is a raster.
    #[must_use]
    pub fn extent(&self) -> Option<(usize, usize)> {
        (self.kind.extent)(&*self.data)
    }

    /// See [`Data::not_finite`]. Takes time O(samples).
    #[must_use]
    pub fn not_finite(&self, holes: bool) -> usize {
        (self.kind.not_finite)(&*self.data, holes)
    }

    /// See [`Data::raster`].
    #[must_use]
    pub fn raster(&self) -> Option<&[f32]> {
        (self.kind.raster)(&*self.data)
    }

    /// See [`Data::raster_mut`]; `None` also if another holder needs the value.
    pub(crate) fn raster_mut(&mut self) -> Option<&mut [f32]> {
        self.release_spare();
        (self.kind.raster_mut)(Arc::get_mut(&mut self.data)?)
    }

    /// See [`Data::with_raster`].
    pub(crate) fn with_raster(&self, samples: Vec<f32>) -> Option<Self> {
        (self.kind.with_raster)(&*self.data, samples)
    }

    /// Whether two values share their memory.
    pub(crate) fn shares(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.data, &other.data)
    }

    /// The holes, if the value is a raster that has any. Takes time O(samples).
    #[must_use]
    pub fn holes(&self) -> Option<HoleMask> {
        (self.kind.holes)(&*self.data)
    }

    /// See [`Data::with_holes`].
    #[must_use]
    pub(crate) fn with_holes(self, holes: &HoleMask) -> Self {
        if self.kind.without_holes.is_none() { self } else { (self.kind.with_holes)(self, holes) }
    }

    /// The value as JSON, if its kind is small enough to print.
    #[must_use]
    pub fn to_json(&self) -> Option<serde_json::Value> {
        (self.kind.to_json)(&*self.data)
    }
}

impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Value({})", self.kind.name)
    }
}
