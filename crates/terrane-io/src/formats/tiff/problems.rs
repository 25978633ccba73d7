//! Problems of TIFF files.

use tiff::TiffError;

use crate::{Format, Problem};

/// A problem that the reader of tags found.
pub(super) fn damaged(error: TiffError) -> Problem {
    match error {
        TiffError::UnsupportedError(e) => {
            Problem::Unsupported { format: Format::TIFF, detail: e.to_string() }
        }
        TiffError::IoError(e) if e.kind() == std::io::ErrorKind::PermissionDenied => Problem::Read(e),
        other => Problem::Damaged { format: Format::TIFF, detail: other.to_string() },
    }
}

/// A kind of file that is not read.
pub(super) fn unsupported(detail: String) -> Problem {
    Problem::Unsupported { format: Format::TIFF, detail }
}

/// What is wrong with a file.
pub(super) fn broken(detail: &str) -> Problem {
    Problem::Damaged { format: Format::TIFF, detail: detail.into() }
}
