use moku::gtp::Gtp;
use moku::session::Options;

fn main() {
    env_logger::init();
    let mut gtp = Gtp::new(Options::default(), None).unwrap();
    gtp.run(std::io::BufReader::new(std::io::stdin()), std::io::stdout(), None).unwrap();
}
