//! Problems as a book to be printed: boards first, solutions at the end. One page of HTML that needs nothing from outside.

use super::page::{RIGHT, WRONG};
use crate::html::{self, escape};
use crate::picture::{Diagram, Mark};
use crate::tsumego::Problem;

/// Boards keep their colours on paper, and no board is torn apart.
const STYLE: &str = "<style>svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}figure{break-inside:avoid;margin:.4rem 0}\
    figcaption{text-align:center}.solutions{break-before:page}.solutions .boards{grid-template-columns:\
    repeat(auto-fill,minmax(min(100%,11rem),1fr))}@page{margin:14mm}@media print{:root{--paper:#fff;--card:#fff;\
    --ink:#000;--soft:#333}main{max-width:none;padding:0}section{border:0;padding:0;margin:0}\
    .problems .boards{grid-template-columns:1fr 1fr;gap:6mm 12mm}}</style>";

/// The book; problems are numbered as they come.
pub fn book(title: &str, problems: &[Problem]) -> String {
    let questions: Vec<Diagram> = problems.iter().enumerate().map(|(i, p)| question(i + 1, p)).collect();
    let answers: Vec<Diagram> = problems.iter().enumerate().map(|(i, p)| answer(i + 1, p)).collect();
    let body = format!(
        "{STYLE}<header><h1>{}</h1><p>{} problems; the solutions are at the end.</p></header>\
         <section class=\"problems\">{}</section><section class=\"solutions\"><h2>Solutions</h2><p>Right moves are green, \
         moves that fail red.</p>{}</section>",
        escape(title),
        problems.len(),
        html::boards(&questions),
        html::boards(&answers)
    );
    html::page(title, &body)
}

fn question(number: usize, problem: &Problem) -> Diagram {
    let goal = problem.goal.map_or(String::new(), |goal| format!(", {}", goal.name()));
    let level = problem.level.as_ref().map_or(String::new(), |level| format!(" (level {level})"));
    let title = format!("{number}. {} to play{goal}{level}", problem.to_play);
    Diagram::new(problem.size, problem.stones.clone(), &title)
}

/// The board with the file's moves.
fn answer(number: usize, problem: &Problem) -> Diagram {
    let disc = |paint: &str, is_best| Mark::Disc { word: String::new(), paint: paint.to_string(), is_best };
    let right = problem.right.iter().map(|p| (*p, disc(RIGHT, true)));
    let wrong = problem.wrong.iter().map(|p| (*p, disc(WRONG, false)));
    let marks = right.chain(wrong).filter(|(p, _)| !p.is_pass()).collect();
    let title = match (problem.right.is_empty(), problem.is_guess) {
        (true, _) => format!("{number}. the file has no answer"),
        (_, true) => format!("{number}. {}, the file's first branch", names(problem)),
        _ => format!("{number}. {}", names(problem)),
    };
    Diagram { marks, ..Diagram::new(problem.size, problem.stones.clone(), &title) }
}

fn names(problem: &Problem) -> String {
    problem.right.iter().map(|&p| problem.size.point_to_gtp(p)).collect::<Vec<_>>().join(" or ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn a_book_tells_the_solutions_at_the_end_alone() {
        let text = "(;SZ[9]GN[<a>]PL[B]AB[ea][eb]AW[da][db]C[Black to kill](;B[ba]C[RIGHT])(;B[ca]C[WRONG]))(;SZ[9]PL[W]AB[aa]AW[bb])";
        let problems = Problem::read(text.as_bytes(), Path::new("set.sgf")).unwrap();
        let book = book("Corner & <side>", &problems);
        let (questions, solutions) = book.split_once("Solutions").unwrap();
        assert_eq!((questions.matches("<svg").count(), solutions.matches("<svg").count()), (2, 2));
        assert!(questions.contains("1. black to play, kill") && questions.contains("Corner &amp; &lt;side&gt;"));
        assert!(!questions.contains(RIGHT) && !questions.contains(WRONG));
        assert!(solutions.matches(RIGHT).count() == 1 && solutions.matches(WRONG).count() == 1);
        assert!(solutions.contains("1. B9") && solutions.contains("2. the file has no answer"));
    }
}
