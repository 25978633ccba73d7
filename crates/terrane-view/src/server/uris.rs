//! Addresses of files in messages between pages and the language service. A page names only files below the
//! graph's folder, by addresses such as `terrane:/part.ron`, and never learns where the folder is.

use std::path::Path;

use serde_json::Value as Json;

/// How the addresses of pages begin.
const PAGE: &str = "terrane:/";
/// Messages of pages that are passed on. None of them writes a file.
const READING: [&str; 13] = [
    "initialize",
    "initialized",
    "shutdown",
    "exit",
    "$/cancelRequest",
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "textDocument/completion",
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
];
/// Messages whose answers are edits, which a page that only reads does not need.
const EDITING: [&str; 4] = [
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/formatting",
    "textDocument/codeAction",
];
/// Depth of brackets in a message, at most.
const DEEPEST: usize = 32;

/// Checks a message of a page and gives it the addresses of files.
///
/// # Errors
/// Why the message is not passed on.
pub fn inward(mut message: Json, folder: &Path, read_only: bool) -> Result<Json, String> {
    let method = message["method"].as_str().unwrap_or_default().to_owned();
    let edits = EDITING.contains(&&*method);
    if !READING.contains(&&*method) && !edits {
        return Err(format!("`{method}` is not a request that pages may make"));
    }
    if edits && read_only {
        return Err("this page only shows the graph: terrane view was started with --read-only".to_owned());
    }
    if method == "initialize" {
        let root = Json::String(address_of(folder, "")?);
        let params = message["params"].as_object_mut().ok_or("`initialize` has no parameters")?;
        params.insert("rootUri".to_owned(), root.clone());
        params.insert("workspaceFolders".to_owned(), serde_json::json!([{ "uri": root, "name": "graphs" }]));
        params.insert("processId".to_owned(), Json::Null);
        params.remove("rootPath");
        return Ok(message);
    }
    rename(&mut message, 0, &mut |address| match address.strip_prefix(PAGE) {
        Some(name) => address_of(folder, name),
        None => Err(format!("`{address}` is not below the graph's folder")),
    })?;
    Ok(message)
}

/// Gives a message of the language service the addresses of pages. `None` if it is about a file elsewhere.
pub fn outward(mut message: Json, folder: &Path) -> Option<Json> {
    let root = address_of(folder, "").ok()?;
    let page = |address: &str| match address.strip_prefix(&*root) {
        Some(name) => Ok(format!("{PAGE}{}", decoded(name))),
        None => Err(String::new()),
    };
    rename(&mut message, 0, &mut |address| page(address)).ok()?;
    Some(message)
}

/// The address of a file below a folder.
fn address_of(folder: &Path, name: &str) -> Result<String, String> {
    let is_plain = |part: &str| !matches!(part, "" | "." | "..") && !part.contains(['\\', ':', '\0', '%']);
    if !name.is_empty() && !name.split('/').all(is_plain) {
        return Err(format!("`{name}` is not below the graph's folder"));
    }
    let folder = folder.to_str().ok_or("the path of the graph's folder is not text")?.replace('\\', "/");
    // Paths of Windows begin with a letter, or with `//?/` if they are canonical.
    let folder = folder.trim_start_matches("//?/").trim_matches('/');
    Ok(format!("file:///{}/{}", encoded(folder), encoded(name)))
}

fn encoded(path: &str) -> String {
    let mut out = String::new();
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' | b':' => {
                out.push(byte.into());
            }
            _ => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn decoded(name: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = name.as_bytes();
    while let [first, after @ ..] = rest {
        let code =
            after.get(..2).and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        (bytes, rest) = match code.filter(|_| *first == b'%') {
            Some(byte) => ([bytes, vec![byte]].concat(), &after[2..]),
            None => ([bytes, vec![*first]].concat(), after),
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Changes every address of a file: values of `uri`, `targetUri` and `rootUri`, and the names in `changes`.
fn rename(
    message: &mut Json,
    depth: usize,
    change: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<(), String> {
    if depth > DEEPEST {
        return Err("the message is nested too deep".to_owned());
    }
    match message {
        Json::Array(all) => all.iter_mut().try_for_each(|value| rename(value, depth + 1, change)),
        Json::Object(fields) => {
            for (name, value) in fields.iter_mut() {
                match (&**name, &mut *value) {
                    ("uri" | "targetUri" | "rootUri", Json::String(address)) => *address = change(address)?,
                    ("changes", Json::Object(files)) => {
                        let old = std::mem::take(files);
                        for (address, edits) in old {
                            files.insert(change(&address)?, edits);
                        }
                    }
                    _ => rename(value, depth + 1, change)?,
                }
            }
            Ok(())
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn sent(address: &str) -> Result<Json, String> {
        let folder = Path::new("/home/a b/graphs");
        let params = json!({ "textDocument": { "uri": address } });
        inward(json!({ "id": 1, "method": "textDocument/hover", "params": params }), folder, false)
    }

    #[test]
    fn addresses_lead_below_the_folder_and_back() {
        let message = sent("terrane:/sub/hügel.ron").unwrap();
        let address = message["params"]["textDocument"]["uri"].as_str().unwrap().to_owned();
        assert_eq!(address, "file:///home/a%20b/graphs/sub/h%C3%BCgel.ron");
        let folder = Path::new("/home/a b/graphs");
        let back = outward(json!({ "result": { "uri": address, "changes": { &address: [] } } }), folder);
        let page = "terrane:/sub/hügel.ron";
        assert_eq!(back.unwrap(), json!({ "result": { "uri": page, "changes": { page: [] } } }));
        assert_eq!(outward(json!({ "params": { "uri": "file:///home/a%20b/other.ron" } }), folder), None);
    }

    #[test]
    fn addresses_elsewhere_are_refused() {
        for address in [
            "file:///etc/passwd",
            "terrane:/../x.ron",
            "terrane:/a/../../x.ron",
            "terrane:/%2e%2e/x.ron",
            "terrane://etc/passwd",
            "terrane:/a\\..\\b",
            "",
        ] {
            assert!(sent(address).is_err(), "{address}");
        }
    }

    #[test]
    fn requests_that_write_are_refused() {
        let send = |method: &str, read_only| {
            inward(json!({ "id": 1, "method": method, "params": {} }), Path::new("/g"), read_only)
        };
        for method in ["workspace/executeCommand", "workspace/didChangeWatchedFiles", "x", ""] {
            assert!(send(method, false).is_err(), "{method}");
        }
        assert!(send("textDocument/rename", false).is_ok());
        assert!(send("textDocument/rename", true).unwrap_err().contains("--read-only"));
        let first = send("initialize", true).unwrap();
        assert_eq!(first["params"]["rootUri"], "file:///g/");
    }
}
