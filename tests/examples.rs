//! What is shown to library users compiles, runs, and is what the guide shows.

use std::fs;
use std::path::{Path, PathBuf};

macro_rules! runs {
    ($($name:ident)*) => {
        $(mod $name {
            include!(concat!("../examples/", stringify!($name), ".rs"));

            #[test]
            fn runs() {
                main().unwrap();
            }
        })*

        const TRIED: &[&str] = &[$(concat!(stringify!($name), ".rs")),*];
    };
}

runs! { allocation policy prior search }

mod match_in_process {
    include!("../examples/match.rs");

    #[test]
    fn runs() {
        main().unwrap();
    }
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn every_example_is_tried() {
    let mut names: Vec<String> = fs::read_dir(root().join("examples"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.retain(|name| name != "match.rs" && !TRIED.contains(&name.as_str()));
    assert!(names.is_empty(), "not in tests/examples.rs: {names:?}");
}

/// The allocation is shown in README or guide from `pub struct` to the end of the search.
#[test]
fn the_guide_shows_the_allocation_that_runs() {
    let source = fs::read_to_string(root().join("examples/allocation.rs")).unwrap();
    let (start, end) = (source.find("pub struct Dice").unwrap(), source.find("\nfn main").unwrap());
    let mut pages: Vec<PathBuf> = fs::read_dir(root().join("docs")).unwrap().map(|e| e.unwrap().path()).collect();
    pages.push(root().join("README.md"));
    pages.push(root().join("CONTRIBUTING.md"));
    let shows = |page: &PathBuf| fs::read_to_string(page).is_ok_and(|text| text.contains(source[start..end].trim()));
    assert!(pages.iter().any(shows), "no page shows examples/allocation.rs as it is");
}
