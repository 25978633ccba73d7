//! Opens a preview and runs it.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Receiver;
use terrane_flow::live::Live;
use terrane_flow::{Engine, Files, LoadOptions, Overlay, Registry};

use crate::display::Faces;
use crate::frame::Frame;
use crate::language::Language;
use crate::page_requests::PageRequests;
use crate::preview::Preview;
use crate::preview_source::PreviewSource;
use crate::reach::folder_of;
use crate::remote::Remote;
use crate::server::{App, Rules, Server, Shown, Token, listen};
use crate::shared_state::SharedState;
use crate::store::Store;
use crate::template::{Start, Template};
use crate::view_error::ViewError;
use crate::view_event::Told;
use crate::warnings::Warnings;

/// The default port.
const PORT: u16 = 7411;

/// What a preview shows, and how it is served.
#[derive(Clone, Debug)]
pub struct ViewOptions {
    /// The graph's file. It identifies the graph, so that pages do not send unwritten changes to the preview
    /// of another graph.
    pub graph: PathBuf,
    /// The part to show if the file is not a graph, such as `patch 3,-2` of a world. Changes are then written
    /// to graphs below its folder, and not to the file itself.
    pub part: Option<String>,
    /// The address to listen at. Default: loopback.
    pub address: IpAddr,
    /// The port. Default: 7411, or any free port if that is taken.
    pub port: Option<u16>,
    /// Further host names that requests may use.
    pub hosts: Vec<String>,
    /// The editor whose windows may show the page in a frame. Default: no frame may show it.
    pub frame: Option<Frame>,
    /// The secret in the address. Default: a new random one.
    pub token: Option<String>,
    /// Graphs that the page offers if the file does not exist.
    pub templates: &'static [Template],
    /// Whether pages only show the graph, and cannot change it.
    pub read_only: bool,
    /// Maximum bytes of values and pictures that are kept for pages, in addition to the engine's own memory.
    pub memory: u64,
    /// Maximum bytes of memory for values and running nodes, if there is a limit. Graphs that need more are
    /// not evaluated.
    pub machine: Option<u64>,
    /// The language service that pages use for texts.
    pub language: Option<Arc<dyn Language>>,
    /// Warns of what is probably not meant in a graph.
    pub warnings: Option<Arc<dyn Warnings>>,
    /// Whether an editor runs the preview: pages can ask it to show a node ([`Told::Source`]).
    pub editor: bool,
    /// The time after which a connection is closed if it has not sent a request or is idle.
    pub patience: Duration,
}

impl Default for ViewOptions {
    fn default() -> Self {
        Self {
            graph: PathBuf::new(),
            part: None,
            address: Ipv4Addr::LOCALHOST.into(),
            port: None,
            hosts: Vec::new(),
            frame: None,
            token: None,
            templates: &[],
            read_only: false,
            memory: 512 << 20,
            machine: None,
            language: None,
            warnings: None,
            editor: false,
            patience: Duration::from_secs(15),
        }
    }
}

/// Identifies a file without revealing its path. The file need not exist yet.
fn name_of(file: &Path) -> String {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = file.file_name().unwrap_or_default();
    let beside = || folder.canonicalize().map(|folder| folder.join(name));
    let whole = file.canonicalize().or_else(|_| beside()).unwrap_or_else(|_| file.to_owned());
    blake3::hash(whole.as_os_str().as_encoded_bytes()).to_hex()[..16].to_owned()
}

/// A preview whose server runs and whose main loop has not started.
pub struct View {
    address: String,
    preview: Preview,
    notified: Receiver<()>,
    _server: Server,
}

impl View {
    /// Starts the server of a preview; [`View::run`] then shows a graph. The graph is loaded with the options
    /// of [`View::load_options`], whose files are `files`.
    ///
    /// # Errors
    /// [`ViewError`] if the socket cannot be opened, the token is not valid, or threads cannot be started.
    pub fn open(
        engine: Engine,
        faces: Faces,
        registry: Registry,
        files: Arc<Overlay>,
        options: &ViewOptions,
    ) -> Result<Self, ViewError> {
        let token = options.token.as_deref().map_or_else(Token::random, Token::given)?;
        let wished = SocketAddr::new(options.address, options.port.unwrap_or(PORT));
        let refused = |error| ViewError::Listen { address: wished, error };
        let listener = listen(wished, options.port.is_some()).map_err(refused)?;
        let at = listener.local_addr().map_err(refused)?;
        let rules = Rules::new(token, at, &options.hosts).framed(options.frame);
        // A browser cannot open the unspecified address.
        let shown = if at.ip().is_unspecified() {
            SocketAddr::new(Ipv4Addr::LOCALHOST.into(), at.port())
        } else {
            at
        };
        let address = format!("http://{shown}/{}/", rules.token.text());
        let (requests, notified) = PageRequests::new(Arc::new(registry), files);
        let (shared, store) = (
            SharedState::default(),
            Arc::new(Store::new(usize::try_from(options.memory).unwrap_or(usize::MAX))),
        );
        let app = App::new(
            engine.clone(),
            faces,
            shared.clone(),
            requests.clone(),
            Arc::clone(&store),
            Shown {
                graph: name_of(&options.graph),
                templates: options.templates,
                read_only: options.read_only,
                folder: folder_of(&options.graph),
                language: options.language.clone(),
                editor: options.editor,
            },
        )?;
        let server = Server::start(listener, Arc::new(rules), Arc::new(app), options.patience)
            .map_err(ViewError::Serve)?;
        let source = options
            .part
            .as_deref()
            .map(|part| PreviewSource::part(options.graph.clone(), part))
            .unwrap_or_default();
        let (session, machine) = (engine.session(), options.machine);
        let start = Start { file: options.graph.clone(), templates: options.templates };
        let warnings = options.warnings.clone();
        let preview = Preview { session, faces, source, start, shared, requests, store, machine, warnings };
        Ok(Self { address, preview, notified, _server: server })
    }

    /// The options to load a graph for a preview: a graph whose nodes are not all connected is shown too, and
    /// files that pages have made but not written can be read. Also returns the place for such files.
    #[must_use]
    pub fn load_options(options: LoadOptions) -> (LoadOptions, Arc<Overlay>) {
        let files = Arc::new(Overlay::new(Arc::clone(&options.files)));
        (LoadOptions { files: Arc::clone(&files) as Arc<dyn Files>, unconnected: true, ..options }, files)
    }

    /// The page's address, with the secret in it.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// A handle to the preview for other threads.
    #[must_use]
    pub fn remote(&self) -> Remote {
        Remote { shared: self.preview.shared.clone() }
    }

    /// Loads, evaluates and shows the graph, again after every change, and reports events. Does not return.
    pub fn run(self, live: Live, tell: &mut dyn FnMut(Told<'_>)) {
        self.preview.run(live, &self.notified, tell);
    }
}
