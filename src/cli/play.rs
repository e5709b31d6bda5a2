//! `moku play`: the page in the browser.

use clap::Args;
use moku::jobs::console::{cores, print, whole};
use moku::session::Options;
use moku::web;

#[derive(Args)]
pub struct PlayArgs {
    /// The port to serve on; 0 is any that is free [default: 6658 if it is free, else any]
    #[arg(long, value_parser = whole::<u16>(0..=u16::MAX))]
    port: Option<u16>,
    /// Serve beyond this machine, on this address (0.0.0.0 is all); whoever plays then needs the token in the address
    #[arg(long, value_name = "ADDRESS")]
    listen: Option<std::net::IpAddr>,
    /// Print the address only, open no browser
    #[arg(long)]
    no_open: bool,
    /// Worker threads [default: one for each core]
    #[arg(long, value_parser = whole::<u16>(1..=256))]
    threads: Option<u16>,
    /// Seed of all chance; without it every game has another
    #[arg(long, value_parser = whole::<u64>(0..))]
    seed: Option<u64>,
}

/// Serves the page until Ctrl-C.
pub fn play(args: PlayArgs) -> Result<(), String> {
    let session = Options {
        size: 9,
        threads: args.threads.map_or_else(cores, usize::from),
        seed: args.seed,
        ..Options::default()
    };
    let url = web::start(web::Serving { listen: args.listen, port: args.port, session })?;
    print(&url)?;
    eprintln!("moku: serving the page above; Ctrl-C ends it");
    if args.listen.is_some_and(|ip| ip.is_unspecified()) {
        let other = web::own_address().map(|ip| url.replace("127.0.0.1", &ip.to_string()));
        eprintln!(
            "moku: from other machines: {}",
            other.unwrap_or_else(|| "the same with this machine's address in the place of 127.0.0.1".to_string())
        );
    }
    if !args.no_open {
        web::open_browser(&url);
    }
    loop {
        std::thread::park();
    }
}
