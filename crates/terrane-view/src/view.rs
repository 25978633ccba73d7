//! A preview from its outside: where it listens, its address, and its loop.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crossbeam_channel::Receiver;
use terrane_flow::Engine;
use terrane_flow::live::Live;

use crate::board::Board;
use crate::face::Faces;
use crate::preview::Preview;
use crate::server::{App, Rules, Server, Token, listen};
use crate::store::Store;
use crate::subject::Subject;
use crate::told::Told;
use crate::view_error::ViewError;
use crate::wishes::Wishes;

/// The port where nobody asks for another, and it is free.
const PORT: u16 = 7411;

/// Where and for whom a preview is served.
#[derive(Clone, Debug)]
pub struct ViewOptions {
    /// The graph's file: pages do not take one graph's unwritten changes to another's preview.
    pub graph: PathBuf,
    /// What is shown of that file where it is no graph, such as `patch 3,-2` of a world: graphs below its
    /// folder are written, and not the file itself.
    pub part: Option<String>,
    /// The address to listen at; loopback, unless others are to reach it.
    pub address: IpAddr,
    /// The port. Without, 7411, or any free one when that is taken.
    pub port: Option<u16>,
    /// Further names under which the server may be asked for.
    pub hosts: Vec<String>,
    /// The secret in the address; without, a new one.
    pub token: Option<String>,
    /// Bytes of values and pictures that are kept for pages, beside what the engine keeps.
    pub memory: u64,
    /// Bytes of memory that values and running nodes may take, where that is bounded: graphs that need more
    /// are not evaluated.
    pub machine: Option<u64>,
    /// How long a connection may take to send a request, or be idle.
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
            token: None,
            memory: 512 << 20,
            machine: None,
            patience: Duration::from_secs(15),
        }
    }
}

/// Stands for a file, and does not tell where it lies. The file need not be there yet.
fn name_of(file: &Path) -> String {
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let name = file.file_name().unwrap_or_default();
    let beside = || folder.canonicalize().map(|folder| folder.join(name));
    let whole = file.canonicalize().or_else(|_| beside()).unwrap_or_else(|_| file.to_owned());
    blake3::hash(whole.as_os_str().as_encoded_bytes()).to_hex()[..16].to_owned()
}

/// A preview that is served already, and whose loop has not begun.
pub struct View {
    address: String,
    preview: Preview,
    rings: Receiver<()>,
    _server: Server,
}

impl View {
    /// Serves a preview; [`View::run`] says of what.
    ///
    /// # Errors
    /// [`ViewError`]: the socket, the token or threads cannot be had.
    pub fn open(engine: Engine, faces: Faces, options: &ViewOptions) -> Result<Self, ViewError> {
        let token = options.token.as_deref().map_or_else(Token::random, Token::given)?;
        let wished = SocketAddr::new(options.address, options.port.unwrap_or(PORT));
        let refused = |error| ViewError::Listen { address: wished, error };
        let listener = listen(wished, options.port.is_some()).map_err(refused)?;
        let at = listener.local_addr().map_err(refused)?;
        let rules = Rules::new(token, at, &options.hosts);
        // Every address of the machine is none that a browser can ask for.
        let shown = if at.ip().is_unspecified() {
            SocketAddr::new(Ipv4Addr::LOCALHOST.into(), at.port())
        } else {
            at
        };
        let address = format!("http://{shown}/{}/", rules.token.text());
        let (wishes, rings) = Wishes::new();
        let (board, store) =
            (Board::default(), Arc::new(Store::new(usize::try_from(options.memory).unwrap_or(usize::MAX))));
        let app = App::new(
            engine.clone(),
            faces,
            board.clone(),
            wishes.clone(),
            Arc::clone(&store),
            name_of(&options.graph),
        )?;
        let server = Server::start(listener, Arc::new(rules), Arc::new(app), options.patience)
            .map_err(ViewError::Serve)?;
        let subject = options
            .part
            .as_deref()
            .map(|part| Subject::part(options.graph.clone(), part))
            .unwrap_or_default();
        let (session, machine) = (engine.session(), options.machine);
        let preview = Preview { session, faces, subject, board, wishes, store, machine };
        Ok(Self { address, preview, rings, _server: server })
    }

    /// The page's address, with the secret in it.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Reads, evaluates and shows the graph, again after every change, and tells what happens; does not come
    /// back.
    pub fn run(self, live: Live, tell: &mut dyn FnMut(Told<'_>)) {
        self.preview.run(live, &self.rings, tell);
    }
}
