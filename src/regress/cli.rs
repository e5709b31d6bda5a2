//! `moku regress`.

use super::{Regress, expand};
use crate::jobs::console::{make_folder, may_be_folder, print, whole, write};
use crate::search::Engine;
use crate::session::Options;
use clap::Args;
use std::path::PathBuf;
use std::process::ExitCode;

#[derive(Args)]
pub struct RegressArgs {
    /// .tst files; @FILE stands for the names in FILE
    #[arg(required = true, value_name = "FILE.tst")]
    files: Vec<String>,
    /// The engine that is tested
    #[arg(long, value_name = "LINE", default_value = "uct playouts=10000 end=fill", value_parser = engine_line)]
    engine: String,
    /// A line for every test, and a summary of every file
    #[arg(long)]
    long: bool,
    /// GTP commands to send before each file
    #[arg(long, value_name = "FILE")]
    gtpfile: Option<PathBuf>,
    /// Write summary.dat to this folder
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(0..))]
    seed: u64,
    /// Worker threads; with one, a budget of playouts gives the same answers every time
    #[arg(long, default_value_t = 1, value_parser = whole::<u16>(1..=256))]
    threads: u16,
}

fn engine_line(text: &str) -> Result<String, String> {
    Ok(Engine::parse(text).map(|_| text.to_string())?)
}

/// The exit code is gogui-regress's: 1 if a test failed that should not, 2 if the tests could not be run.
pub fn run(args: RegressArgs) -> ExitCode {
    let options = Options {
        engine: Some(args.engine),
        threads: args.threads.into(),
        seed: Some(args.seed),
        ..Options::default()
    };
    let run = || -> Result<bool, String> {
        let files = expand(&args.files)?;
        args.output.iter().try_for_each(|folder| may_be_folder(folder))?;
        let regress = Regress { options, long: args.long, gtp_file: args.gtpfile };
        let total = regress.run(&files, &mut |line| drop(print(line)))?;
        if let Some(folder) = &args.output {
            make_folder(folder)?;
            write(&folder.join("summary.dat"), &total.data())?;
        }
        Ok(total.failed)
    };
    match run() {
        Ok(false) => ExitCode::SUCCESS,
        Ok(true) => ExitCode::from(1),
        Err(text) => {
            eprintln!("moku: {text}");
            ExitCode::from(2)
        }
    }
}
