//! The language server in Neovim.

use std::process::{Command, Stdio};

use crate::{Result, say};

/// Runs `neovim.lua` in Neovim without a window.
pub fn neovim() -> Result<()> {
    let found = Command::new("nvim").arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        return Err("`nvim` was not found: install Neovim 0.7 or newer".into());
    }
    crate::neovim_types::types(tempfile::tempdir()?.path())?;
    let (program, folder) = (crate::program()?, tempfile::tempdir()?);
    let script = crate::root().join("xtask/src/neovim.lua");
    let given = format!("lua arg_program={program:?}; arg_folder={:?}", folder.path());
    let status = Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-n", "--cmd", &given, "-c"])
        .arg(format!("luafile {}", script.display()))
        .status()?;
    if !status.success() {
        return Err("the language server failed in Neovim".into());
    }
    say("Neovim has all that it asked for");
    Ok(())
}
