//! Editors that may show the page inside one of their windows.

/// An editor whose windows may show the page in a frame. The schemes of such a window's addresses belong to
/// the editor: no web page has one, so no web page can show the page in a frame of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Frame {
    /// Visual Studio Code on the desktop: a webview (`vscode-webview:`) in the workbench (`vscode-file:`).
    VsCode,
}
