//! The configuration of Neovim in the book.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::{Result, root};

/// Files, their texts, and whether they are graphs.
const FILES: [(&str, &str, bool); 7] = [
    ("a.ron", "Graph(\n)\n", true),
    ("b.ron", "// World(\n/* Graph */\n\n  World (patch: \"a\")\n", true),
    ("c.terrane.ron", "\n", true),
    ("d.ron", "(a: Graph(1))\n", false),
    ("e.ron", "// Graph(\n(1)\n", false),
    ("f.ron", "Graphs(1)\n", false),
    ("g.txt", "Graph(\n)\n", false),
];

/// Checks that the configuration in the book gives graphs the type `terrane` and starts the server for them.
pub fn types(folder: &Path) -> Result<()> {
    let book = fs::read_to_string(root().join("book/src/editors.md"))?;
    let block = book.split("## Neovim").nth(1).and_then(|rest| rest.split("```text\n").nth(1));
    let block = block.and_then(|rest| rest.split("```").next());
    let block = block.ok_or("the chapter Editors has no configuration of Neovim")?;
    // Before version 0.8, Neovim has no `vim.lsp.start`, and looks for types in Lua only if asked.
    let start =
        "vim.g.do_filetype_lua = 1\nvim.lsp.start = function(server) vim.g.started = server.name end\n";
    let init = folder.join("init.lua");
    fs::write(&init, format!("{start}{block}"))?;
    let mut files = String::new();
    for (name, text, is_graph) in FILES {
        fs::write(folder.join(name), text)?;
        files += &format!("[{name:?}] = {is_graph}, ");
    }
    let given = format!("lua arg_folder={folder:?}; arg_files={{ {files} }}");
    let script = root().join("xtask/src/neovim_types.lua");
    let status = Command::new("nvim")
        .args(["--headless", "-n", "--cmd", &given, "-u"])
        .arg(&init)
        .args(["-c", &format!("luafile {}", script.display())])
        .status()?;
    if status.success() { Ok(()) } else { Err("Neovim does not recognise graphs as the book says".into()) }
}
