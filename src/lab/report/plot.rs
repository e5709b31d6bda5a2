//! Plots as SVG by the crate plotters, coloured by the page's style so that dark and light both read well.

use crate::html::{self, escape};
use crate::lab::section::{Axis, Dot, Plot, Series, Style};
use plotters::coord::Shift;
use plotters::coord::combinators::WithKeyPoints;
use plotters::coord::ranged1d::{AsRangedCoord, ValueFormatter};
use plotters::prelude::*;

// Small, so that letters are large enough where the page makes it smaller still.
const WIDTH: u32 = 540;
const HEIGHT: u32 = 350;
const FONT: (&str, u32) = ("sans-serif", 18);
/// Letters and lines of the legend of a file.
const LEGEND: u32 = 14;
const LINE: u32 = 22;
/// Room for the words of an axis: so much for a letter, and at least and at most so much in all, the axis's own name among it.
const LETTER: u32 = 10;
const NAMES: (u32, u32) = (80, WIDTH / 2);
/// So many powers of ten have their numbers beside a logarithmic axis.
const MANY_DECADES: i32 = 6;
/// Whiskers of series at the same place stand this many pixels apart.
const APART: i32 = 3;

/// Stand-ins that are turned into the page's colours: `c0` and on for series, ink and faint lines.
const SERIES: [RGBColor; 10] = [
    RGBColor(1, 0, 254),
    RGBColor(1, 1, 254),
    RGBColor(1, 2, 254),
    RGBColor(1, 3, 254),
    RGBColor(1, 4, 254),
    RGBColor(1, 5, 254),
    RGBColor(1, 6, 254),
    RGBColor(1, 7, 254),
    RGBColor(1, 8, 254),
    RGBColor(1, 9, 254),
];
const INK: RGBColor = RGBColor(2, 0, 254);
const FAINT: RGBColor = RGBColor(2, 1, 254);

fn color(number: usize) -> RGBColor {
    SERIES[number % SERIES.len()]
}

/// The plot as an `svg` element.
pub fn svg(plot: &Plot) -> Result<String, String> {
    let mut text = String::new();
    {
        let area = SVGBackend::with_string(&mut text, (WIDTH, HEIGHT)).into_drawing_area();
        draw(plot, &area).map_err(|e| format!("cannot draw '{}': {e}", plot.title))?;
    }
    Ok(styled(&text, &plot.title))
}

/// The plot as a file of its own: with its title, a legend, and colours that need no page.
pub fn file(plot: &Plot) -> Result<String, String> {
    let inner = svg(plot)?;
    let start = inner.find('>').map_or(0, |end| end + 1);
    let inner = inner[start..].trim_end().trim_end_matches("</svg>");
    let text = |x: u32, y: u32, words: &str| {
        format!(
            "<text x=\"{x}\" y=\"{y}\" font-family=\"{}\" font-size=\"{LEGEND}\" fill=\"var(--ink)\">{}</text>\n",
            FONT.0,
            escape(words)
        )
    };
    let mut legend = String::new();
    for (i, series) in plot.series.iter().enumerate() {
        let y = HEIGHT + LINE * (i as u32 + 1);
        let color = series.color % SERIES.len();
        let dash =
            if matches!(series.style, Style::Dashed | Style::Published) { " stroke-dasharray=\"5 4\"" } else { "" };
        let at = y - LEGEND / 3;
        legend += &format!(
            "<line x1=\"16\" x2=\"46\" y1=\"{at}\" y2=\"{at}\" stroke=\"var(--c{color})\" stroke-width=\"3\"{dash}/>\n"
        );
        legend += &text(54, y, &series.name);
    }
    let height = HEIGHT + LINE * (plot.series.len() as u32 + 2);
    let mut out = format!(
        "<svg width=\"{WIDTH}\" height=\"{height}\" viewBox=\"0 0 {WIDTH} {height}\" xmlns=\"http://www.w3.org/2000/svg\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"var(--card)\"/>\n{}<g transform=\"translate(0 {LINE})\">\n{inner}{legend}</g>\n</svg>\n",
        text(16, LINE - 4, &plot.title)
    );
    let names = (0..SERIES.len()).map(|i| format!("--c{i}")).chain(["--ink", "--faint", "--card"].map(String::from));
    for name in names {
        let value = html::color(&name).ok_or_else(|| format!("the style has no colour {name}"))?;
        out = out.replace(&format!("var({name})"), value);
    }
    Ok(out)
}

/// Colours by class, size by the page.
fn styled(text: &str, title: &str) -> String {
    let mut text = text.to_string();
    let hex = |c: RGBColor| format!("#{:02X}{:02X}{:02X}", c.0, c.1, c.2);
    for (i, stand_in) in SERIES.iter().enumerate() {
        text = text.replace(&hex(*stand_in), &format!("var(--c{i})"));
    }
    text = text.replace(&hex(INK), "var(--ink)").replace(&hex(FAINT), "var(--faint)");
    let start = format!("<svg width=\"{WIDTH}\" height=\"{HEIGHT}\" ");
    let named = format!("<svg class=\"plot\" role=\"img\" aria-label=\"{}\" ", escape(title));
    text.replacen(&start, &named, 1)
}

/// A range that holds all values, and the axis's own least one; never empty.
fn range(axis: &Axis, values: impl Iterator<Item = f64>) -> (f64, f64) {
    let start = axis.range.unwrap_or((f64::INFINITY, f64::NEG_INFINITY));
    let usable = values.filter(|v| v.is_finite() && (!axis.log || *v > 0.0));
    let (low, high) = usable.fold(start, |(a, b), v| (a.min(v), b.max(v)));
    match (low < high, low.is_finite()) {
        (true, _) if axis.log => (low / 1.15, high * 1.15),
        (true, _) if axis.range.is_some_and(|r| r == (low, high)) => (low, high),
        (true, _) => (low - 0.03 * (high - low), high + 0.03 * (high - low)),
        (false, true) if axis.log => (low / 2.0, low * 2.0),
        (false, true) => (low - 1.0, low + 1.0),
        (false, false) => (0.1, 1.0),
    }
}

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Failure = Box<dyn std::error::Error>;

fn draw(plot: &Plot, area: &Area) -> Result<(), Failure> {
    let dots = || plot.series.iter().flat_map(|s| &s.points);
    let is_forest = plot.series.iter().any(|s| s.style == Style::Forest);
    let ends =
        |d: &Dot, at: f64, is_own: bool| d.interval.filter(|_| is_own).map_or([at, at], |(low, high)| [low, high]);
    let (x0, x1) = range(&plot.x, dots().flat_map(|d| ends(d, d.x, is_forest)));
    let (y0, y1) = range(&plot.y, dots().flat_map(|d| ends(d, d.y, !is_forest)));
    let (xa, xb) = if plot.x.reverse { (x1, x0) } else { (x0, x1) };
    match (plot.x.log, plot.y.log) {
        (false, false) => chart(plot, area, xa..xb, y0..y1),
        (true, false) => chart(plot, area, log(xa, xb), y0..y1),
        (false, true) => chart(plot, area, xa..xb, log(y0, y1)),
        (true, true) => chart(plot, area, log(xa, xb), log(y0, y1)),
    }
}

/// A logarithmic axis with numbers enough to read it.
fn log(from: f64, to: f64) -> WithKeyPoints<LogCoord<f64>> {
    (from..to).log_scale().with_key_points(log_numbers(from.min(to), from.max(to)))
}

/// Powers of ten, with 2 and 5 times each where there are few of them, and some of them where there are many.
fn log_numbers(low: f64, high: f64) -> Vec<f64> {
    let (first, last) = (libm::log10(low).floor() as i32, libm::log10(high).ceil() as i32);
    let steps: &[f64] = if last - first <= MANY_DECADES / 2 { &[1.0, 2.0, 5.0] } else { &[1.0] };
    let every = 1 + (last - first) / MANY_DECADES;
    let powers = (first..=last).filter(|power| power % every == 0).map(|power| libm::exp10(f64::from(power)));
    let numbers = powers.flat_map(|power| steps.iter().map(move |step| step * power));
    numbers.filter(|x| (low..=high).contains(x)).collect()
}

fn chart<X, Y>(plot: &Plot, area: &Area, x: X, y: Y) -> Result<(), Failure>
where
    X: AsRangedCoord<Value = f64>,
    Y: AsRangedCoord<Value = f64>,
    X::CoordDescType: ValueFormatter<f64>,
    Y::CoordDescType: ValueFormatter<f64>,
{
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .margin_right(22)
        .x_label_area_size(50)
        .y_label_area_size(room_for(&plot.y.names))
        .build_cartesian_2d(x, y)?;
    let label = FONT.into_font().color(&INK);
    chart
        .configure_mesh()
        .bold_line_style(FAINT)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT)
        .label_style(label.clone())
        .axis_desc_style(label)
        .x_desc(plot.x.name.as_str())
        .y_desc(plot.y.name.as_str())
        .x_labels(8)
        .y_labels(7.max(2 * plot.y.names.len()))
        .x_label_formatter(&|v| number(*v))
        .y_label_formatter(&|v| label_at(&plot.y, *v))
        .draw()?;
    let measured = plot.series.iter().filter(|s| s.style == Style::Measured).count() as i32;
    let mut whisker = -APART * (measured - 1) / 2;
    for series in &plot.series {
        let color = color(series.color);
        let line = || series.points.iter().map(|d| (d.x, d.y));
        match series.style {
            Style::Bars => {
                let width = bar_width(series);
                let bar = |d: &Dot| Rectangle::new([(d.x - width, 0.0), (d.x + width, d.y)], color.mix(0.45).filled());
                chart.draw_series(series.points.iter().map(bar))?;
            }
            Style::Line => drop(chart.draw_series(LineSeries::new(line(), color.stroke_width(2)))?),
            Style::Dashed => drop(chart.draw_series(DashedLineSeries::new(line(), 6, 5, color.stroke_width(1)))?),
            Style::Measured => {
                chart.draw_series(LineSeries::new(line(), color.stroke_width(2)))?;
                for dot in &series.points {
                    if let Some((low, high)) = dot.interval {
                        let ends = [low, high].map(|y| chart.backend_coord(&(dot.x, y)));
                        let ends = ends.map(|(x, y)| (x.saturating_add(whisker), y));
                        area.draw(&PathElement::new(ends, color.stroke_width(if measured > 3 { 1 } else { 2 })))?;
                    }
                }
                whisker += APART;
                chart
                    .draw_series(line().map(|at| Circle::new(at, if measured > 3 { 3 } else { 4 }, color.filled())))?;
            }
            Style::Forest => {
                for dot in &series.points {
                    if let Some((low, high)) = dot.interval {
                        let line = PathElement::new([(low, dot.y), (high, dot.y)], color.stroke_width(2));
                        chart.draw_series([line])?;
                    }
                }
                chart.draw_series(line().map(|at| Circle::new(at, 4, color.filled())))?;
            }
            Style::Published => {
                chart.draw_series(DashedLineSeries::new(line(), 4, 4, color.stroke_width(1)))?;
                chart.draw_series(line().map(|at| Circle::new(at, 5, color.stroke_width(2))))?;
            }
        }
    }
    Ok(())
}

fn room_for(names: &[String]) -> u32 {
    let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0) as u32;
    (LETTER * longest + LETTER).clamp(NAMES.0, NAMES.1)
}

/// A word that has room, cut if it must be.
fn fitting(name: &str) -> String {
    let room = (NAMES.1 / LETTER) as usize - 1;
    match name.char_indices().nth(room) {
        None => name.to_string(),
        Some(_) => name.chars().take(room - 1).chain(['…']).collect(),
    }
}

/// The word for a place on an axis that has words, at whole numbers.
fn label_at(axis: &Axis, v: f64) -> String {
    match axis.names.is_empty() {
        true => number(v),
        false if (v - v.round()).abs() > 1e-6 || v < -0.5 => String::new(),
        false => axis.names.get(v.round() as usize).map(|name| fitting(name)).unwrap_or_default(),
    }
}

/// Half of the least distance between bars.
fn bar_width(series: &Series) -> f64 {
    let mut xs: Vec<f64> = series.points.iter().map(|d| d.x).collect();
    xs.sort_by(f64::total_cmp);
    let least = xs.windows(2).map(|w| w[1] - w[0]).filter(|d| *d > 0.0).fold(f64::INFINITY, f64::min);
    if least.is_finite() { 0.45 * least } else { 0.45 }
}

/// `10k`, `0.25`, `1e-5`: short enough for an axis.
fn number(v: f64) -> String {
    let short = |v: f64| ((v * 1e3).round() / 1e3).to_string();
    match v.abs() {
        a if a < 1e-12 => "0".to_string(),
        a if !(1e-3..1e9).contains(&a) => format!("{v:.0e}"),
        a if a >= 1e6 => format!("{}M", short(v / 1e6)),
        a if a >= 1e4 => format!("{}k", short(v / 1e3)),
        _ => short(v),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plot(style: Style, log: bool, points: Vec<Dot>) -> Plot {
        let axis = Axis { name: "x <y>".to_string(), log, ..Axis::default() };
        let series = vec![Series { name: "s".to_string(), style, color: 3, points }];
        Plot { title: "\"t\" & <u>".to_string(), x: axis.clone(), y: axis, series }
    }

    #[test]
    fn every_style_is_drawn_on_every_scale_with_any_points() {
        let styles = [Style::Measured, Style::Published, Style::Line, Style::Dashed, Style::Bars, Style::Forest];
        let lists = [
            vec![],
            vec![Dot::new(1.0, 1.0)],
            vec![Dot::new(1.0, 2.0), Dot::new(10.0, 0.5)],
            vec![Dot { x: 5.0, y: 5.0, interval: Some((0.0, 100.0)) }, Dot::new(f64::NAN, 1.0)],
        ];
        for style in styles {
            for log in [false, true] {
                for points in &lists {
                    let svg = svg(&plot(style, log, points.clone())).unwrap();
                    assert!(svg.starts_with("<svg class=\"plot\"") && svg.trim_end().ends_with("</svg>"), "{svg}");
                    assert!(!svg.contains("#01") && !svg.contains("<y>"), "{svg}");
                }
            }
        }
    }

    #[test]
    fn a_file_has_title_and_legend_and_needs_no_page() {
        let text = file(&plot(Style::Dashed, false, vec![Dot::new(1.0, 2.0), Dot::new(2.0, 3.0)])).unwrap();
        assert!(
            !text.contains("var(") && text.matches("<svg").count() == 1 && text.matches("</svg>").count() == 1,
            "{text}"
        );
        assert!(text.contains(">&quot;t&quot; &amp; &lt;u&gt;</text>") && text.contains(">s</text>"), "{text}");
        assert_eq!(html::color("--c0").map(str::len), Some(7));
    }

    /// Where the text at the left end of tick labels begins, and where the axis's name ends.
    fn left_of_labels(svg: &str) -> (f64, f64) {
        let parts = svg.split("<text ").skip(1).map(|part| part.split_once('>').unwrap());
        let at = |tag: &str| tag.split('"').nth(1).unwrap().parse::<f64>().unwrap();
        let (mut labels, mut name) = (f64::INFINITY, 0.0);
        for (tag, rest) in parts {
            let words = rest.split("</text>").next().unwrap().trim();
            if tag.contains("rotate") {
                name = at(tag) + f64::from(FONT.1);
            } else if tag.contains("text-anchor=\"end\"") {
                labels = f64::min(labels, at(tag) - f64::from(LETTER) * words.chars().count() as f64);
            }
        }
        (labels, name)
    }

    #[test]
    fn numbers_of_an_axis_stand_beside_its_name() {
        let points = vec![Dot::new(1.0, 1e-5), Dot::new(10.0, 0.2)];
        let (labels, name) = left_of_labels(&svg(&plot(Style::Line, true, points)).unwrap());
        assert!(labels.is_finite() && name > 0.0 && labels >= name, "{labels} {name}");
    }

    #[test]
    fn words_of_an_axis_have_room_or_are_cut() {
        let names = |length: usize| vec!["short".to_string(), "m".repeat(length)];
        assert!(room_for(&[]) < room_for(&names(14)) && room_for(&names(14)) < room_for(&names(20)));
        for length in [1, 14, 20, 26, 27, 90] {
            let shown = names(length).iter().map(|name| fitting(name).chars().count()).max().unwrap_or(0) as u32;
            assert!(LETTER * shown < room_for(&names(length)), "{length}");
        }
        assert!(fitting(&"m".repeat(90)).ends_with('…') && fitting("playout=rules") == "playout=rules");
    }

    #[test]
    fn logarithmic_axes_have_numbers_enough_and_not_too_many() {
        assert_eq!(log_numbers(434.0, 11_500.0), [500.0, 1e3, 2e3, 5e3, 1e4]);
        assert_eq!(log_numbers(0.04, 3.5), [0.05, 0.1, 0.2, 0.5, 1.0, 2.0]);
        let regret = log_numbers(1e-5, 900.0);
        assert!((3..=8).contains(&regret.len()) && regret.windows(2).all(|w| w[1] / w[0] >= 9.9), "{regret:?}");
    }

    #[test]
    fn axis_numbers_are_short() {
        let texts = [0.0, 0.25, 1e-5, 500.0, 20_000.0, 3_162_278.0, -34.5, 1e12].map(number);
        assert_eq!(texts, ["0", "0.25", "1e-5", "500", "20k", "3.162M", "-34.5", "1e12"]);
    }
}
