//! `moku completions` and `moku man`.

use moku::jobs::console::{make_folder, print};
use std::path::PathBuf;

pub fn completions(mut moku: clap::Command, shell: clap_complete::Shell) -> Result<(), String> {
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut moku, "moku", &mut text);
    print(&String::from_utf8_lossy(&text))
}

pub fn manual(moku: clap::Command, folder: Option<PathBuf>) -> Result<(), String> {
    let Some(folder) = folder else {
        let mut text = Vec::new();
        clap_mangen::Man::new(moku).render(&mut text).map_err(|e| format!("cannot write the page: {e}"))?;
        return print(&String::from_utf8_lossy(&text));
    };
    make_folder(&folder)?;
    clap_mangen::generate_to(moku, &folder).map_err(|e| format!("cannot write to {}: {e}", folder.display()))
}
