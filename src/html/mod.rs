//! What every page of moku is made of: one style, text that is safe to show, tables, and boards with captions.
//!
//! A page is one file that needs nothing from outside.

use crate::picture::Diagram;
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

/// The value of one of the style's colours where it is light: `--c0`.
pub fn color(name: &str) -> Option<&'static str> {
    let (_, rest) = STYLE.split_once(&format!("{name}: "))?;
    rest.split_once(';').map(|(value, _)| value)
}

/// Text as it may stand in HTML and its attributes.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A paragraph as descriptions have it: what stands between backticks is code.
pub fn prose(text: &str) -> String {
    let parts = escape(text);
    let mut out = String::new();
    for (i, part) in parts.split('`').enumerate() {
        out += &if i % 2 == 1 { format!("<code>{part}</code>") } else { part.to_string() };
    }
    out
}

/// A whole page; the body is HTML already.
pub fn page(title: &str, body: &str) -> String {
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"><link rel=\"icon\" href=\"data:,\">\
         <title>{0}</title><style>{STYLE}</style></head>\n<body><main>{body}</main></body></html>\n",
        escape(title)
    )
}

/// A cell of a table: HTML, and a class of the style.
#[derive(Clone, Default)]
pub struct Cell {
    pub html: String,
    pub class: &'static str,
    /// Columns that it takes, at least one.
    pub span: usize,
}

impl Cell {
    pub fn text(text: &str) -> Cell {
        Cell { html: escape(text), ..Cell::default() }
    }

    pub fn html(html: String) -> Cell {
        Cell { html, ..Cell::default() }
    }

    pub fn class(self, class: &'static str) -> Cell {
        Cell { class, ..self }
    }
}

/// A table that is scrolled where the page is narrow. Rows of the foot are sums.
pub fn table(head: &[String], rows: &[Vec<Cell>], foot: &[Vec<Cell>]) -> String {
    let mut out = String::from("<div class=\"scroll\"><table>");
    if !head.is_empty() {
        let head: String = head.iter().map(|name| format!("<th>{}</th>", escape(name))).collect();
        let _ = write!(out, "<thead><tr>{head}</tr></thead>");
    }
    for (part, rows) in [("tbody", rows), ("tfoot", foot)].into_iter().filter(|(_, rows)| !rows.is_empty()) {
        let _ = write!(out, "<{part}>");
        for row in rows {
            out += "<tr>";
            for Cell { html, class, span } in row {
                let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
                let span = if *span > 1 { format!(" colspan=\"{span}\"") } else { String::new() };
                let _ = write!(out, "<td{class}{span}>{html}</td>");
            }
            out += "</tr>";
        }
        let _ = write!(out, "</{part}>");
    }
    out + "</table></div>"
}

/// What is shown when it is asked for.
pub fn folded(summary: &str, body: &str) -> String {
    format!("<details><summary>{}</summary>{body}</details>", escape(summary))
}

/// A list of sentences; nothing if there are none.
pub fn list(class: &str, items: &[String]) -> String {
    if items.is_empty() {
        return String::new();
    }
    let items: String = items.iter().map(|item| format!("<li>{}</li>", escape(item))).collect();
    format!("<ul class=\"{class}\">{items}</ul>")
}

/// Boards side by side, each over its title.
pub fn boards(diagrams: &[Diagram]) -> String {
    if diagrams.is_empty() {
        return String::new();
    }
    let one = |d: &Diagram| format!("<figure>{}<figcaption>{}</figcaption></figure>", d.to_html(), escape(d.title()));
    format!("<div class=\"boards\">{}</div>", diagrams.iter().map(one).collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{Black, Size};

    #[test]
    fn no_text_can_become_markup() {
        let bad = "<script>\"&'";
        let size = Size::new(5).unwrap_or_else(|| unreachable!("5 is a size"));
        let diagram = Diagram::new(size, vec![(size.point(1, 1), Black)], bad);
        let parts =
            table(&[bad.into()], &[vec![Cell::text(bad)]], &[]) + &folded(bad, "") + &list("notes", &[bad.into()]);
        assert_eq!(prose("a `b<` c"), "a <code>b&lt;</code> c");
        let page = page(bad, &(parts + &prose(bad) + &boards(&[diagram])));
        assert!(!page.contains("<script") && page.contains("&lt;script&gt;"), "{page}");
        assert!(page.matches("<svg").count() == 1 && page.contains("class=\"board\""));
    }

    #[test]
    fn cells_have_their_class_and_width() {
        let rows = [vec![Cell::text("a").class("bad"), Cell { span: 2, ..Cell::text("b") }]];
        let text = table(&[], &rows, &rows);
        assert!(
            text.contains("<tbody><tr><td class=\"bad\">a</td><td colspan=\"2\">b</td></tr></tbody><tfoot>"),
            "{text}"
        );
        assert!(!text.contains("<thead>"));
    }
}
