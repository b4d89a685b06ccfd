//! Whole figures: both files, whatever the numbers.

use std::path::Path;

use super::encode::Sheet;
use super::*;

fn svg(figure: &ParetoFigure) -> Result<String, FigureError> {
    font::register()?;
    encode::svg(&page::Page::new(figure))
}

fn png(figure: &ParetoFigure) -> Result<Vec<u8>, FigureError> {
    font::register()?;
    encode::png(&page::Page::new(figure))
}

fn exactly(value: f64) -> Measured {
    Measured { value, interval: None }
}

fn between(value: f64, lo: f64, hi: f64) -> Measured {
    Measured { value, interval: Some(Interval { lo, hi }) }
}

fn point(label: &str, x: f64, y: f64) -> Point {
    let around = |value: f64| between(value, 0.9 * value, 1.1 * value);
    Point { label: label.to_owned(), x: around(x), y: around(y), zero_events: false, current: false, surety: None }
}

fn without_events(label: &str, x: f64) -> Point {
    Point { zero_events: true, x: exactly(x), y: between(0.0, 0.0, 0.018), ..point(label, x, 0.0) }
}

fn panel(families: Vec<Vec<Point>>) -> Panel {
    let family = |(position, points)| Family { name: format!("family {position}"), points };
    Panel {
        title: "slowdown, healthy".to_owned(),
        x_label: "slot-rounds to detection".to_owned(),
        y_label: "rejections per run".to_owned(),
        floor: None,
        band: None,
        families: families.into_iter().enumerate().map(family).collect(),
    }
}

fn figure(panels: Vec<Panel>, columns: usize) -> ParetoFigure {
    let level = Level::new(0.95).unwrap();
    ParetoFigure { title: "A figure".to_owned(), note: String::new(), replications: 200, level, panels, columns }
}

/// Two families that trade one objective for the other, and designs behind them.
fn ordinary() -> Panel {
    let trade = |name: &str, scale: f64| -> Vec<Point> {
        (1..=6)
            .flat_map(|step| {
                let (x, y) = (scale * 100.0 * f64::from(step), 500.0 / f64::from(step).powi(4));
                [point(&format!("{name}{step}"), x, y), point("behind", 1.5 * x, 2.0 * y)]
            })
            .collect()
    };
    panel(vec![vec![without_events("never", 4000.0)], trade("a", 1.0), trade("b", 1.4)])
}

/// Width, height and pixels of a PNG.
fn decoded(bytes: &[u8]) -> (u32, u32, Vec<[u8; 3]>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    (info.width, info.height, pixels.chunks_exact(3).map(|pixel| [pixel[0], pixel[1], pixel[2]]).collect())
}

/// The texts of an SVG, line by line as they are stored.
fn texts(svg: &str) -> Vec<&str> {
    svg.split("<text ").skip(1).filter_map(|rest| rest.lines().nth(1)).collect()
}

#[test]
fn a_floor_is_a_dashed_line_with_an_entry_in_the_legend() {
    let dashes = |panel: Panel| {
        let svg = svg(&figure(vec![panel], 1)).unwrap();
        let explained = texts(&svg).iter().any(|text| text.contains("rate × time to fail"));
        (svg.matches("<polyline").count(), explained)
    };
    let (without, explained) = dashes(ordinary());
    assert!(!explained);
    // Far to the left of every design: the axis reaches it.
    let (with, explained) = dashes(Panel { floor: Some(1.0), ..ordinary() });
    assert!(explained && with > without + 20, "{with} lines, {without} without a floor");
}

#[test]
fn both_files_show_the_same_page() {
    let folder = tempfile::tempdir().unwrap();
    let (svg_path, png_path) = (folder.path().join("front.svg"), folder.path().join("front.png"));
    let figure = figure(vec![ordinary(); 4], 2);
    draw(&figure, &svg_path, &png_path).unwrap();

    let svg = std::fs::read_to_string(&svg_path).unwrap();
    let (width, height, pixels) = decoded(&std::fs::read(&png_path).unwrap());
    assert!(svg.starts_with(&format!(r#"<svg width="{width}" height="{height}" viewBox="0 0 "#)), "{}", &svg[..90]);
    assert_eq!((width, pixels.len()), (1600, (width * height) as usize));
    // Every family's colour is there, and the title's ink where the title stands.
    for colour in [[0, 0, 0], [0, 114, 178], [213, 94, 0]] {
        assert!(pixels.iter().filter(|&&pixel| pixel == colour).count() > 100, "{colour:?}");
    }
    let title = &pixels[20 * width as usize..56 * width as usize];
    assert!(title.iter().filter(|pixel| pixel[0] < 100).count() > 300, "the title has no glyphs");
}

#[test]
fn the_same_figure_gives_the_same_bytes() {
    let figure = figure(vec![ordinary()], 1);
    assert_eq!(svg(&figure).unwrap(), svg(&figure).unwrap());
    assert_eq!(png(&figure).unwrap(), png(&figure).unwrap());
}

#[test]
fn the_caption_states_sample_size_level_and_kind_of_interval() {
    let mut figure = figure(vec![ordinary()], 1);
    figure.note = "Root seed 7.".to_owned();
    let svg = svg(&figure).unwrap();
    let caption = texts(&svg).last().copied().unwrap().to_owned();
    assert_eq!(caption, "n = 200 replications per design; bars are 95 % per-design intervals. Root seed 7.");
}

#[test]
fn front_designs_are_named_and_others_are_not() {
    let svg = svg(&figure(vec![ordinary()], 1)).unwrap();
    let texts = texts(&svg);
    for name in ["never", "a1", "a2", "a3", "a4", "a5", "a6"] {
        assert_eq!(texts.iter().filter(|&&text| text == name).count(), 1, "{name}");
    }
    assert!(!texts.contains(&"behind"));
}

#[test]
fn zero_events_are_explained_only_where_there_are_any() {
    let explained = |panel| svg(&figure(vec![panel], 1)).unwrap().contains("no event seen");
    assert!(explained(panel(vec![vec![without_events("a", 1.0)]])));
    assert!(!explained(panel(vec![vec![point("a", 1.0, 1.0)]])));
}

#[test]
fn what_cannot_be_drawn_is_counted_in_the_caption() {
    let lost = vec![point("a", 1.0, 1.0), point("b", f64::NAN, 1.0), point("c", 1.0, f64::INFINITY)];
    let svg = svg(&figure(vec![panel(vec![lost])], 1)).unwrap();
    assert!(svg.contains("2 points without a finite estimate are not drawn."));
}

#[test]
fn names_with_markup_stay_text() {
    let mut figure = figure(vec![panel(vec![vec![point("<a & b>", 1.0, 1.0)]])], 1);
    figure.title = r#"x < y && "z""#.to_owned();
    let svg = svg(&figure).unwrap();
    let texts = texts(&svg);
    assert!(texts.contains(&"&lt;a &amp; b&gt;"), "{texts:?}");
    assert!(texts[0].starts_with("x &lt; y &amp;&amp; "), "{}", texts[0]);
}

#[test]
fn any_grid_and_any_numbers_can_be_drawn() {
    let odd_panels = vec![
        ordinary(),
        panel(vec![]),
        panel(vec![vec![], vec![]]),
        panel(vec![vec![point("only", 5.0, 3.0)]]),
        panel(vec![vec![without_events("a", 5.0), without_events("b", 5.0), without_events("c", 0.0)]]),
        panel(vec![vec![point("a", 0.0, 0.0), point("b", 0.0, 0.0)]]),
        panel(vec![vec![point("a", 5.0, 1.0), point("b", 5.0, 2.0)]]),
        panel(vec![vec![point("a", -3.0, -1.0), point("b", 4.0, 2.0)]]),
        panel(vec![vec![point("a", 1e-300, 1e280), point("b", 1e280, 1e-300)]]),
        panel(vec![vec![point("a", f64::MIN_POSITIVE, 5e-324), point("b", f64::MAX, 1.0)]]),
        panel((0..12).map(|family| vec![point("a", 1.0 + f64::from(family), 2.0)]).collect()),
    ];
    for columns in 0..=4 {
        let figure = figure(odd_panels.clone(), columns);
        let svg = svg(&figure).unwrap();
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{columns} columns");
    }
    font::register().unwrap();
    for rows in 1..=4 {
        for columns in 1..=4 {
            let (width, height) = page::Page::new(&figure(vec![ordinary(); rows * columns], columns)).size();
            assert!((1000..=2300).contains(&width) && (600..=2500).contains(&height), "{width} × {height}");
        }
    }
    assert!(png(&figure(vec![], 2)).is_ok());
}

#[test]
fn many_designs_and_long_names_can_be_drawn() {
    let scattered =
        |i: u32| point(&format!("design {i} "), f64::from(i * 7919 % 5003 + 1), f64::from(i * 104_729 % 4999 + 1));
    let mut figure = figure(vec![panel(vec![(0..5000).map(scattered).collect()])], 1);
    figure.panels[0].x_label = "an objective whose description is longer than its axis ".repeat(4);
    figure.panels[0].y_label = figure.panels[0].x_label.clone();
    let (width, _, _) = decoded(&png(&figure).unwrap());
    assert!(width < 1200);
}

/// Every text of an SVG as its place, size and letters, in page units, and whether it is written upwards.
struct DrawnText {
    x: f64,
    y: f64,
    /// From where to where it reaches: to the right or, if upwards, down the page.
    from: f64,
    to: f64,
    upwards: bool,
    letters: String,
}

fn drawn_texts(svg: &str) -> Vec<DrawnText> {
    let text = |rest: &str| {
        let (tag, after) = rest.split_once('>')?;
        let attribute = |name: &str| Some(tag.split_once(&format!(" {name}=\""))?.1.split_once('"')?.0.to_owned());
        let scaled =
            |name: &str| attribute(name)?.parse::<f64>().ok().map(|value| value / f64::from(canvas::RESOLUTION));
        let letters = after.split_once("</text>")?.0.trim().replace("&quot;", "\"");
        let bold = attribute("font-weight").or_else(|| attribute("font-style")).is_some_and(|style| style == "bold");
        let look = canvas::Lettering::new(scaled("font-size")? * 1.24, style::INK);
        let width = if bold { look.bold() } else { look }.width(&letters);
        let (x, y, upwards) = (scaled("x")?, scaled("y")?, attribute("transform").is_some());
        let start = match attribute("text-anchor")?.as_str() {
            "start" => 0.0,
            "middle" => 0.5,
            _ => 1.0,
        };
        let (from, to) = match upwards {
            true => (y - (1.0 - start) * width, y + start * width),
            false => (x - start * width, x + (1.0 - start) * width),
        };
        Some(DrawnText { x, y, from, to, upwards, letters })
    };
    svg.split("<text").skip(1).filter_map(text).collect()
}

#[test]
fn no_text_leaves_the_page_or_covers_another_in_its_line() {
    let long = "a-mode-with-a-very-long-name-of-80-letters-that-goes-on-and-on-to-the-very-end-x";
    let mut panel = ordinary();
    panel.title = format!("{long} against {long}");
    panel.x_label = format!("{long}: slot-seconds until the first opening");
    panel.y_label = format!("{long}: valid requests turned away per run");
    panel.families[1].name = long.repeat(4);
    for (rows, columns) in [(1, 1), (4, 6)] {
        let mut figure = figure(vec![panel.clone(); rows * columns], columns);
        figure.title = format!("{long} ").repeat(6);
        figure.note = long.repeat(4);
        let svg = svg(&figure).unwrap();
        let (width, height) = page::Page::new(&figure).size();
        let texts = drawn_texts(&svg);
        assert!(texts.len() > 30 * rows * columns / 2);
        for text in &texts {
            let end = f64::from(if text.upwards { height } else { width });
            assert!(text.from >= 0.0 && text.to <= end, "{} from {} to {}", text.letters, text.from, text.to);
        }
        for (i, text) in texts.iter().enumerate().filter(|(_, text)| text.upwards) {
            for other in texts[..i].iter().filter(|other| other.upwards && (other.x - text.x).abs() < 12.0) {
                let apart = text.to <= other.from || other.to <= text.from;
                assert!(apart, "{} covers {} at {}, {}", text.letters, other.letters, text.x, text.y);
            }
        }
    }
}

#[test]
fn an_older_file_is_replaced_and_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    for name in ["front.svg", "front.png"] {
        std::fs::write(path(name), "older").unwrap();
        std::fs::hard_link(path(name), path(&format!("kept {name}"))).unwrap();
    }
    draw(&figure(vec![ordinary()], 1), &path("front.svg"), &path("front.png")).unwrap();
    for name in ["front.svg", "front.png"] {
        assert_ne!(std::fs::read(path(name)).unwrap(), b"older");
        // What stood there before was not emptied first, as it would have been for a disk that is full to stop at.
        assert_eq!(std::fs::read(path(&format!("kept {name}"))).unwrap(), b"older");
    }
}

#[test]
fn a_file_that_cannot_be_written_is_an_error_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing").join("front.svg");
    let error = draw(&figure(vec![ordinary()], 1), &missing, Path::new("/dev/null")).unwrap_err();
    assert!(matches!(&error, FigureError::Write { path, .. } if *path == missing));
    assert!(error.to_string().contains("missing"), "{error}");
}

/// The ordinary panel as a study leaves it: one point of each class, a knee, a current setting, a band.
fn studied() -> Panel {
    let mut panel = ordinary();
    let classes = [MembershipClass::In, MembershipClass::Undecided, MembershipClass::Out];
    for (position, point) in panel.families.iter_mut().flat_map(|family| &mut family.points).enumerate() {
        let (x, y) = (point.x.value, point.y.value);
        let outline = [(0.9, 1.0), (1.0, 1.3), (1.1, 1.0), (1.0, -0.2)].map(|(u, v)| (u * x, v * y)).to_vec();
        point.surety = Some(Surety { class: classes[position % 3], knee: None, outline });
    }
    let family = &mut panel.families[1].points;
    family[4].surety.as_mut().unwrap().knee = Some(0.634);
    family[6].current = true;
    panel.band = Some(AttainmentBand {
        x: vec![50.0, 100.0, 300.0, 4000.0],
        best: vec![f64::INFINITY, 400.0, 4.0, 0.0],
        median: vec![f64::INFINITY, 500.0, 6.0, 0.0],
        worst: vec![f64::INFINITY, f64::INFINITY, 8.0, 0.1],
    });
    panel
}

#[test]
fn what_was_studied_is_drawn_and_explained() {
    let (plain, studied) = (svg(&figure(vec![ordinary()], 1)).unwrap(), svg(&figure(vec![studied()], 1)).unwrap());
    let explained = [
        "filled: surely on the front of all; half: undecided; hollow: surely not on it",
        "region: both means together, 95 %",
        "shaded: where 5 to 95 % of redrawn fronts lie",
        "ringed: the knee, with its share of redrawn fronts",
        "cross-hairs: the current setting",
        "arrow or pointing down: no event seen, drawn at the upper bound",
    ];
    for words in explained {
        assert!(texts(&studied).contains(&words) && !texts(&plain).contains(&words), "{words}");
    }
    assert!(texts(&studied).contains(&"a3, knee 63 %"), "{:?}", texts(&studied));
    assert!(texts(&studied).contains(&"a4, current"), "{:?}", texts(&studied));
    assert!(!studied.contains("NaN") && !studied.contains("inf"));
    // A region replaces the bars and caps of each design on the front of all.
    let regions = |svg: &str| svg.matches("<polygon").count();
    assert!(regions(&studied) > regions(&plain) + 6);
}

#[test]
fn names_keep_clear_of_rings_and_cross_hairs() {
    font::register().unwrap();
    for columns in [1, 2, 4] {
        let figure = figure(vec![studied(); columns], columns);
        let mut texts = drawn_texts(&svg(&figure).unwrap());
        texts.retain(|text| !text.letters.is_empty());
        for (i, text) in texts.iter().enumerate().filter(|(_, text)| !text.upwards) {
            for other in texts[..i].iter().filter(|other| !other.upwards && (other.y - text.y).abs() < 8.0) {
                let apart = text.to <= other.from || other.to <= text.from;
                assert!(apart, "{} covers {} at {}, {}", text.letters, other.letters, text.x, text.y);
            }
        }
    }
}

#[test]
fn a_band_that_says_nothing_is_not_drawn() {
    let with = |best: Vec<f64>, worst: Vec<f64>| {
        let x: Vec<f64> = (1..=best.len()).map(|x| 100.0 * x as f64).collect();
        let band = Some(AttainmentBand { x, median: best.clone(), best, worst });
        svg(&figure(vec![Panel { band, ..ordinary() }], 1)).unwrap().matches("<polygon").count()
    };
    let nowhere = with(vec![f64::INFINITY; 2], vec![f64::INFINITY; 2]);
    assert_eq!(with(vec![], vec![]), nowhere);
    assert_eq!(with(vec![1.0, 1.0], vec![2.0, 1.5]), nowhere + 1);
}
