//! Messages of an editor over standard input and output, each with its length before it.

use std::io::{self, BufRead, Read as _, Write as _};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{Receiver, bounded};
use lsp_server::{Connection, Message};

/// Bytes of a message, at most. A graph of 10,000 nodes has less than one million.
const LARGEST: usize = 256 << 20;

/// Bytes of the lines before a message, at most.
const LONGEST_HEADER: u64 = 8 << 10;

/// The threads of a connection.
pub struct Threads {
    writer: JoinHandle<io::Result<()>>,
    /// Why no more messages are read.
    failed: Receiver<io::Error>,
}

/// A connection over standard input and output.
pub fn stdio() -> (Connection, Threads) {
    let (to_server, receiver) = bounded(0);
    let (sender, from_server) = bounded::<Message>(0);
    let (fail, failed) = bounded(1);
    thread::spawn(move || {
        let mut input = io::stdin().lock();
        let ended = loop {
            match frame(&mut input) {
                Ok(Some(body)) => match serde_json::from_slice::<Message>(&body) {
                    Ok(message) => {
                        let is_last = matches!(&message, Message::Notification(own) if own.method == "exit");
                        if to_server.send(message).is_err() || is_last {
                            break Ok(());
                        }
                    }
                    Err(error) => {
                        if let Err(error) = refuse(&error.to_string()) {
                            break Err(error);
                        }
                    }
                },
                Ok(None) => break Ok(()),
                Err(error) => break Err(error),
            }
        };
        if let Err(error) = ended {
            let _nobody_asks = fail.send(error);
        }
    });
    let writer = thread::spawn(move || {
        from_server.into_iter().try_for_each(|message| message.write(&mut io::stdout().lock()))
    });
    (Connection { sender, receiver }, Threads { writer, failed })
}

impl Threads {
    /// Waits until everything is written. The connection must be dropped before.
    ///
    /// # Errors
    /// If the editor's messages could not be read, or the server's not be written.
    pub fn end(self) -> io::Result<()> {
        let written = self.writer.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        self.failed.try_recv().map_or(Ok(()), Err)?;
        written
    }
}

/// Tells an editor that its message was none. It has no number that an answer could name.
fn refuse(why: &str) -> io::Result<()> {
    let answer = serde_json::json!({
        "jsonrpc": "2.0",
        "id": null,
        "error": { "code": lsp_server::ErrorCode::ParseError as i32, "message": why },
    })
    .to_string();
    let mut output = io::stdout().lock();
    write!(output, "Content-Length: {}\r\n\r\n{answer}", answer.len())?;
    output.flush()
}

/// The bytes of the next message; `None` at the end of the input.
fn frame(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    let mut header = input.by_ref().take(LONGEST_HEADER);
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        if header.read_line(&mut line)? == 0 && header.limit() > 0 {
            return Ok(None);
        }
        let Some((name, value)) =
            line.strip_suffix("\r\n").map(|line| line.split_once(':').unwrap_or((line, "")))
        else {
            return Err(invalid(&format!("expected a header that ends with \\r\\n, found {line:?}")));
        };
        if name.eq_ignore_ascii_case("Content-Length") {
            length = Some(value.trim().to_owned());
        }
    }
    let Some(length) = length else { return Err(invalid("expected a header `Content-Length: BYTES`")) };
    let bytes = length.parse::<usize>().ok().filter(|bytes| *bytes <= LARGEST);
    let bytes = bytes.ok_or_else(|| {
        invalid(&format!("expected `Content-Length` to be at most {LARGEST} bytes, found `{length}`"))
    })?;
    // Memory is used for what comes, not for what is announced.
    let mut body = Vec::new();
    if input.by_ref().take(bytes as u64).read_to_end(&mut body)? < bytes {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(body))
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(input: &str) -> Result<Option<String>, String> {
        let body = frame(&mut input.as_bytes()).map_err(|error| error.to_string())?;
        Ok(body.map(|body| String::from_utf8(body).unwrap()))
    }

    #[test]
    fn messages_by_hand() {
        assert_eq!(of("Content-Length: 2\r\n\r\n{}rest"), Ok(Some("{}".to_owned())));
        assert_eq!(of("content-type: json\r\ncontent-length:2\r\n\r\n{}"), Ok(Some("{}".to_owned())));
        assert_eq!(of("Content-Length: 0\r\n\r\n"), Ok(Some(String::new())));
        assert_eq!(of(""), Ok(None));
    }

    #[test]
    fn what_is_no_message_is_refused() {
        let huge = of("Content-Length: 100000000000000\r\n\r\n").unwrap_err();
        assert_eq!(huge, "expected `Content-Length` to be at most 268435456 bytes, found `100000000000000`");
        assert!(of("Content-Length: -1\r\n\r\n").unwrap_err().contains("found `-1`"));
        assert_eq!(of("{}\r\n\r\n").unwrap_err(), "expected a header `Content-Length: BYTES`");
        assert!(of("Content-Length: 2\n\n{}").unwrap_err().contains("ends with \\r\\n"));
        assert!(of(&"x".repeat(100_000)).unwrap_err().contains("ends with \\r\\n"));
        assert!(of("Content-Length: 9\r\n\r\n{}").is_err(), "the end comes early");
    }
}
