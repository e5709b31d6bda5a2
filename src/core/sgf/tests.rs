//! SGF files as people and programs write them.

use super::*;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;

fn fixture(name: &str) -> GameRecord {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../sgf/fixtures").join(name);
    read_file(&path).unwrap()
}

fn good(text: &str) -> GameRecord {
    read(text.as_bytes()).unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn error(text: &str) -> String {
    read(text.as_bytes()).expect_err(text).to_string()
}

/// `B D4`, `W pass`, `set B A1 - B1 W to play`: steps as lines of text.
fn show(record: &GameRecord) -> Vec<String> {
    let gtp = |p: &Point| record.size.point_to_gtp(*p);
    let stone = |(p, color): &(Point, Option<Color>)| format!(" {} {}", color.map_or('-', Color::letter), gtp(p));
    let show_step = |step: &Step| match step {
        Step::Move(color, p) => format!("{} {}", color.letter(), gtp(p)),
        Step::SetUp { stones, to_play } => {
            let stones: String = stones.iter().map(stone).collect();
            format!("set{stones}{}", to_play.map_or(String::new(), |c| format!(" {} to play", c.letter())))
        }
    };
    record.steps.iter().map(show_step).collect()
}

#[test]
fn handicap_game_keeps_stones_names_comment_and_both_kinds_of_pass() {
    let game = fixture("handicap.sgf");
    assert_eq!((game.kind, game.size.n(), game.komi, game.handicap), (GameKind::Go, 9, Some(0.5), 3));
    assert_eq!(show(&game), ["set B C3 B G3 B G7", "W C7", "B E5", "W pass", "B pass", "W E7"]);
    assert_eq!(game.players, [Some("Minako [3k]".to_owned()), Some("Oku: the second".to_owned())]);
    assert_eq!(game.result.as_deref(), Some("W+R"));
    assert_eq!(game.comment.as_deref(), Some("Three stones,\nWhite moves first."));
}

#[test]
fn set_up_may_have_both_colours_rectangles_a_side_to_move_and_come_again_later() {
    let game = fixture("setup.sgf");
    let first = "set W C5 B A6 W C6 W D6 B A7 B B7 B C7 W D7 W to play";
    assert_eq!(show(&game), [first, "W B6", "set B G1 - A7 - B7 B to play", "B B7"]);
}

#[test]
fn main_line_is_the_first_variation_of_the_first_game_whatever_comes_before_it() {
    let game = fixture("variations.sgf");
    assert_eq!((game.size.n(), game.komi), (5, Some(5.5)));
    assert_eq!(show(&game), ["B C3", "W B4", "B B2", "W D4"]);
}

#[test]
fn text_whose_bytes_look_like_brackets_or_escapes_loses_no_move() {
    let game = fixture("encoding.sgf");
    assert_eq!(show(&game), ["B E5", "W C7", "B G3"]);
    assert!(game.players.iter().all(Option::is_some));
}

#[test]
fn bytes_of_any_encoding_declared_or_not_load_the_same_moves() {
    for charset in ["", "CA[UTF-8]", "CA[ISO-8859-1]", "CA[Shift_JIS]", "CA[gb2312]", "CA[]", "CA[nonsense]"] {
        for name in
            [&b"caf\xe9"[..], b"\xe9", b"\xb9\xcb\xc1\xa6", b"\x95\x5c", b"\x83\x5d", "目".as_bytes(), b"\xff\xfe"]
        {
            let parts =
                [b"\xef\xbb\xbf(;GM[1]", charset.as_bytes(), b"PB[", name, b"]SZ[9]C[", name, b"];B[ee];W[cc])"];
            let game = read(&parts.concat()).unwrap_or_else(|error| panic!("{charset} {name:x?}: {error}"));
            assert_eq!(
                (game.size.n(), show(&game)),
                (9, vec!["B E5".to_owned(), "W C7".to_owned()]),
                "{charset} {name:x?}"
            );
        }
    }
    for to_bytes in [u16::to_le_bytes, u16::to_be_bytes] {
        let utf16: Vec<u8> = "\u{feff}(;PB[目]SZ[9];B[ee])".encode_utf16().flat_map(to_bytes).collect();
        let game = read(&utf16).unwrap();
        assert_eq!((show(&game), game.players[0].as_deref()), (vec!["B E5".to_owned()], Some("目")));
    }
    let latin = read(b"(;PB[caf\xe9];B[dd])").unwrap();
    assert_eq!(latin.players[0].as_deref(), Some("café"), "Latin-1 is SGF's default");
}

#[test]
fn comments_are_read_in_the_encoding_that_is_declared_guessed_or_declared_wrongly() {
    use encoding_rs::{BIG5, EUC_JP, EUC_KR, GBK, SHIFT_JIS};
    let texts = [
        (GBK, "GB2312", "黑先白死 正解 失败"),
        (BIG5, "Big5", "黑先白死 正確 失敗"),
        (SHIFT_JIS, "Shift_JIS", "黒先白死 正解の図 失敗"),
        (EUC_JP, "EUC-JP", "黒先白死 正解の手 失敗"),
        (EUC_KR, "EUC-KR", "흑선백사 정답 실패"),
    ];
    for (encoding, name, text) in texts {
        for declared in [format!("CA[{name}]"), String::new(), "CA[UTF-8]".to_owned(), "CA[nonsense]".to_owned()] {
            let parts = [b"(;SZ[9]", declared.as_bytes(), b"C[", &encoding.encode(text).0, b"];B[ee])"];
            let game = read(&parts.concat()).unwrap_or_else(|error| panic!("{name} {declared}: {error}"));
            assert_eq!(game.comment.as_deref(), Some(text), "{name} {declared}");
        }
    }
}

#[test]
fn empty_properties_are_absent() {
    let game = good("(;GM[]SZ[]KM[]HA[]RE[]PB[]PW[ ]PL[]AB[]AW[][aa]AE[]C[];B[])");
    assert_eq!(game.komi.or(game.result.as_ref().map(|_| 0.0)), None);
    assert_eq!((game.kind, game.size.n(), game.handicap), (GameKind::Go, 19, 0));
    assert_eq!((game.players.clone(), game.comment.clone()), ([None, None], None));
    assert_eq!(show(&game), ["set W A19", "B pass"]);
}

#[test]
fn komi_is_read_when_it_is_a_number_of_reasonable_size() {
    let cases = [("6.5", Some(6.5)), ("-3", Some(-3.0)), ("6,5", Some(6.5)), (" 7 ", Some(7.0)), ("375", Some(375.0))];
    let garbage = ["x", "6.5 points", "1001", "-2000", "nan", "inf", "1e99"].map(|text| (text, None));
    for (text, komi) in cases.into_iter().chain(garbage) {
        assert_eq!(good(&format!("(;KM[{text}];B[dd])")).komi, komi, "{text}");
    }
}

#[test]
fn handicap_is_what_the_file_says_and_garbage_is_none() {
    for (text, handicap) in [("0", 0), ("1", 1), ("9", 9), ("x", 0), ("-2", 0), ("99999999999999999999", 0), ("362", 0)]
    {
        assert_eq!(good(&format!("(;HA[{text}]AB[dd][pp])")).handicap, handicap, "{text}");
    }
}

#[test]
fn sizes_are_square_and_2_to_25() {
    for (text, n) in [("9", 9), ("19:19", 19), (" 25 ", 25), ("2", 2)] {
        assert_eq!(good(&format!("(;SZ[{text}])")).size.n(), n);
    }
    for text in ["1", "26", "9:13", "0", "300", "-9", "nine", "19:19:19", ":"] {
        assert_eq!(error(&format!("(;SZ[{text}])")), format!("SZ[{text}]: expected a square board of size 2 to 25"));
    }
}

#[test]
fn go_and_gobang_are_told_apart_and_other_games_refused() {
    let gobang = good("(;GM[4]KM[6.5];B[hh];W[])");
    assert_eq!((gobang.kind, gobang.size.n(), gobang.komi), (GameKind::Gobang, 15, None));
    assert_eq!(show(&gobang), ["B H8", "W pass"]);
    for text in ["2", "x", "11"] {
        assert_eq!(error(&format!("(;GM[{text}])")), format!("GM[{text}]: expected 1 (Go) or 4 (Gobang)"));
    }
}

#[test]
fn tt_is_a_pass_up_to_19_and_a_point_beyond() {
    assert_eq!(show(&good("(;SZ[19];B[tt])")), ["B pass"]);
    assert_eq!(show(&good("(;SZ[21];B[tt])")), ["B U2"]);
}

#[test]
fn moves_off_the_board_are_errors_with_number_and_value() {
    let tail = "is not on the 9x9 board, expected two letters a to i or nothing (pass)";
    for value in ["jj", "aZ", "e", "eee", "5,5", "é", "aa][bb"] {
        assert_eq!(error(&format!("(;SZ[9];B[ee];W[{value}];B[cc])")), format!("move 2: W[{value}] {tail}"));
    }
    assert!(error(&format!("(;SZ[9];B[{}])", "x".repeat(500))).len() < 200, "a long value is cut");
}

#[test]
fn set_up_off_the_board_is_an_error_with_place_and_value() {
    let tail = "is not on the 9x9 board, expected points of two letters a to i";
    for (property, value) in [("AB", "jj"), ("AW", "aZ"), ("AE", "x"), ("AB", "aa][zzz"), ("AW", "cc:aa"), ("AB", "tt")]
    {
        let text = format!("(;SZ[9];B[ee];{property}[{value}])");
        assert_eq!(error(&text), format!("set-up before move 2: {property}[{value}] {tail}"));
    }
}

#[test]
fn nodes_that_break_the_standard_still_load() {
    assert_eq!(show(&good("(;SZ[9]B[ee]AB[aa]W[dd])")), ["set B A9", "B E5", "W D6"], "set-up and two moves in a node");
    assert_eq!(show(&good("(;SZ[9]AB[aa]AB[bb]AW[aa])")), ["set B B8 W A9"], "repeated property, point named twice");
    assert_eq!(show(&good("(;SZ[9]PL[white];PL[b];PL[?];W[aa])")), ["set W to play", "set B to play", "W A9"]);
    assert_eq!(show(&good("(;SZ[9];KO[x]V[?]TE[9]LB[aa]B[ee];b[aa]unknown[\\]]X_2 [a] [b])")), ["B E5", "B A9"]);
    assert_eq!(show(&good("(;SZ[9]\r\n;\tB \r\n[ e e ]\r\n(;W[aa]\r\n)\r\n)\r\n")), ["B E5", "W A9"]);
    assert_eq!(show(&good("(;SZ[9];B[ee](;W[aa])(;W[bb]")), ["B E5", "W A9"], "cut off behind the main line");
    assert_eq!(show(&good("(;SZ[9];B[ee]\n")), ["B E5"], "only the last parenthesis is missing, as in GNU Go's owl42");
    assert_eq!(show(&good("(\r\nSZ[9]KO[6]\r\n;B[ee])")), ["B E5"], "no first semicolon, as from the Nihon Ki-in");
}

#[test]
fn brackets_that_nobody_escaped_stay_in_their_text() {
    let game = good("(;SZ[9]C[a [12k]: hi b [3d]: (ha) ho]PB[x [1d\\]];C[y [2d]]B[ee])");
    assert_eq!(game.comment.as_deref(), Some("a [12k]: hi b [3d]: (ha) ho"));
    assert_eq!(game.players[0].as_deref(), Some("x [1d]"));
    assert_eq!(show(&game), ["B E5"]);
}

#[test]
fn escapes_soft_line_breaks_and_carriage_returns_are_resolved() {
    let game = good("(;C[a\\]b\\\\c\\:d one\\\r\nline\r\nnext\rlast]PB[two\r\nlines])");
    assert_eq!(game.comment.as_deref(), Some("a]b\\c:d oneline\nnext\nlast"));
    assert_eq!(game.players[0].as_deref(), Some("two lines"));
}

#[test]
fn broken_files_say_what_was_expected_and_where() {
    let structure = "expected a property, `;`, `(` or `)`, found";
    assert_eq!(error(""), "no game: expected `(;` somewhere in the file");
    assert_eq!(error("just text (really) ;"), "no game: expected `(;` somewhere in the file");
    assert_eq!(error("(;SZ[9];B"), format!("byte 8: {structure} \"B\""));
    assert_eq!(error("(;SZ[9] , ;B[ee])"), format!("byte 8: {structure} \", ;B[ee])\""));
    assert_eq!(error("(;C[ok] oops ;B[ee])"), format!("byte 8: {structure} \"oops ;B[ee])\""));
    let unclosed = "this value is not closed, expected `]` before the end of the file";
    assert_eq!(error("(;SZ[9];B[ee"), format!("byte 9: {unclosed}"));
    assert_eq!(error("(;C[abc\\"), format!("byte 3: {unclosed}"));
    let missing = read_file(Path::new("/no/such/file.sgf")).unwrap_err().to_string();
    assert!(missing.starts_with("cannot read /no/such/file.sgf: "), "{missing}");
}

#[test]
fn very_long_games_do_not_overflow_the_stack() {
    let moves = 90_000;
    assert_eq!(good(&format!("(;{})", ";B[]".repeat(moves))).steps.len(), moves);
    let deep = format!("(;{}", ";(".repeat(300_000));
    assert!(read(deep.as_bytes()).map_or(true, |game| game.steps.is_empty()));
    assert!(error(&format!("(;{})", ";B[]".repeat(300_000))).contains("100000"));
}

#[test]
fn before_move_counts_moves_from_1_and_keeps_the_set_up_before_them() {
    let game = fixture("setup.sgf");
    let steps = show(&game);
    assert_eq!(show(&game.before_move(0)), steps[..1]);
    assert_eq!(show(&game.before_move(1)), steps[..1]);
    assert_eq!(show(&game.before_move(2)), steps[..3]);
    assert_eq!(game.before_move(3), game);
    assert_eq!(game.before_move(usize::MAX), game);
    let handicap = fixture("handicap.sgf");
    assert_eq!((handicap.before_move(5).result, handicap.before_move(6).result), (None, handicap.result));
}

#[test]
fn before_move_leaves_no_doubt_whose_move_it_was() {
    let problem = good("(;SZ[9]AB[aa]AW[bb];W[cc];W[dd];B[ee])");
    for (n, color) in [(1, White), (2, White), (3, Black), (4, White)] {
        assert_eq!(problem.before_move(n).to_play(), color, "move {n}");
    }
    assert_eq!(show(&problem.before_move(1)), ["set W B8 B A9", "set W to play"]);
    assert_eq!(good("(;HA[2]AB[dd][pp])").to_play(), White);
    assert_eq!(good("(;HA[2]AB[dd][pp]PL[B])").to_play(), Black);
    assert_eq!(good("(;SZ[9])").to_play(), Black);
}

#[test]
fn written_files_have_every_property_in_place() {
    let mut game = fixture("handicap.sgf");
    game.rules = Some("Chinese".to_owned());
    let expected = "(;FF[4]GM[1]CA[UTF-8]AP[moku:1.0]SZ[9]RU[Chinese]KM[0.5]HA[3]PB[Minako [3k\\]]PW[Oku: the second]\
        RE[W+R]C[Three stones,\nWhite moves first.]\nAB[cg][gg][gc]\n;W[cc];B[ee];W[];B[];W[ec])\n";
    assert_eq!(game.to_sgf("moku:1.0"), expected);
    game.kind = GameKind::Gobang;
    assert!(game.to_sgf("moku:1.0").starts_with("(;FF[4]GM[4]CA[UTF-8]AP[moku:1.0]SZ[9]HA[3]"));
}

fn any_text() -> impl Strategy<Value = Option<String>> {
    let trimmed = |text: Option<String>| Some(text?.trim().to_owned()).filter(|text| !text.is_empty());
    proptest::option::of("[ -~éß目碁]{1,12}").prop_map(trimmed)
}

fn any_color() -> impl Strategy<Value = Color> {
    any::<bool>().prop_map(|black| if black { Black } else { White })
}

fn any_step(size: Size) -> impl Strategy<Value = Step> {
    let point = (0..size.n(), 0..size.n()).prop_map(move |(x, y)| size.point(x, y));
    let stones = proptest::collection::btree_map(point.clone(), proptest::option::of(any_color()), 1..6);
    let set_up = (stones, proptest::option::of(any_color())).prop_map(
        |(stones, to_play): (BTreeMap<Point, Option<Color>>, _)| Step::SetUp {
            stones: stones.into_iter().collect(),
            to_play,
        },
    );
    let point_or_pass = prop_oneof![4 => point, 1 => Just(Point::PASS)];
    let side = any_color().prop_map(|color| Step::SetUp { stones: Vec::new(), to_play: Some(color) });
    prop_oneof![6 => (any_color(), point_or_pass).prop_map(|(color, p)| Step::Move(color, p)), 2 => set_up, 1 => side]
}

fn any_record() -> impl Strategy<Value = GameRecord> {
    let size = (Size::MIN..=Size::MAX).prop_filter_map("a size", Size::new);
    let komi = proptest::option::of((-400i16..400).prop_map(|quarters| f32::from(quarters) / 4.0));
    let texts = (any_text(), any_text(), any_text(), any_text(), any_text());
    let steps = size.prop_flat_map(|size| (Just(size), proptest::collection::vec(any_step(size), 0..30)));
    (any::<bool>(), steps, komi, 0usize..4, texts).prop_map(|(is_go, (size, steps), komi, handicap, texts)| {
        let kind = if is_go { GameKind::Go } else { GameKind::Gobang };
        let (result, black, white, comment, rules) = texts;
        let komi = komi.filter(|_| is_go);
        let rules = rules.filter(|_| is_go);
        GameRecord { kind, size, komi, rules, handicap, steps, result, players: [black, white], comment }
    })
}

const PIECES: &[&str] =
    &["(;", ";", ")", "(", "[", "]", "\\", "B", "W[", "AB[aa:", "cc]", "SZ[", "GM[", "KM[", "x", "9", "\n", " ", "é"];

/// Bytes that look enough like SGF to get past the first check.
fn any_soup() -> impl Strategy<Value = Vec<u8>> {
    let piece = proptest::sample::select(PIECES).prop_map(|s| s.as_bytes().to_vec());
    let piece = prop_oneof![9 => piece, 1 => any::<u8>().prop_map(|byte| vec![byte])];
    proptest::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn records_survive_writing_and_reading(record in any_record()) {
        let text = record.to_sgf("moku:0.1.0");
        prop_assert_eq!(read(text.as_bytes()).unwrap(), record, "{}", text);
    }

    #[test]
    fn cut_records_survive_too_and_know_the_side_to_move(record in any_record(), n in 0usize..30) {
        let before = record.before_move(n);
        prop_assert_eq!(&read(before.to_sgf("a").as_bytes()).unwrap(), &before);
        let color = |step: &Step| if let Step::Move(color, _) = step { Some(*color) } else { None };
        let next = record.steps.iter().filter_map(color).nth(n.max(1) - 1);
        prop_assert_eq!(before.to_play(), next.unwrap_or(record.to_play()));
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in any::<Vec<u8>>(), soup in any_soup()) {
        let _ = read(&bytes);
        let _ = read(&[b"(;", &bytes[..]].concat());
        let _ = read(&soup);
        if let Ok(record) = read(&[b"(;", &soup[..], b"])"].concat()) {
            prop_assert_eq!(read(record.to_sgf("a:b").as_bytes()).unwrap(), record);
        }
    }

    #[test]
    fn a_damaged_file_never_panics_and_every_error_has_words(
        record in any_record(), at in any::<prop::sample::Index>(), byte in any::<u8>(),
    ) {
        let mut bytes = record.to_sgf("a:b").into_bytes();
        let at = at.index(bytes.len());
        bytes[at] = byte;
        for damaged in [&bytes[..], &bytes[..at]] {
            if let Err(error) = read(damaged) {
                prop_assert!(!error.to_string().is_empty());
            }
        }
    }
}

#[test]
fn notes_stand_beside_their_moves_and_branches_beside_what_they_replace() {
    let text = "(;SZ[9]KM[7.5]PB[a]AB[cc];W[dd];B[ee];W[])";
    let record = read(text.as_bytes()).unwrap();
    let size = record.size;
    let at = |v: &str| size.point_from_gtp(v).unwrap();
    let notes = [
        Note { comment: "first]".to_string(), black_rate: Some(51.234), ..Note::default() },
        Note {
            is_hot: true,
            instead: Some((vec![(Black, at("G3")), (White, at("C7"))], "better".to_string())),
            ..Note::default()
        },
    ];
    let written = record.to_annotated_sgf("moku:1", &notes);
    assert_eq!(read(written.as_bytes()).unwrap(), record, "{written}");
    assert!(written.contains("W[dd]SBKV[51.23]C[first\\]]"), "{written}");
    let trees = read_trees(written.as_bytes()).unwrap();
    let branches: Vec<&Node> = trees[0].nodes.iter().filter(|node| node.parent == Some(1)).collect();
    assert_eq!(branches.len(), 2, "{written}");
    assert_eq!(branches[1].comment, "better");
    assert_eq!(
        record.to_annotated_sgf("moku:1", &[]).matches(';').count(),
        record.to_sgf("moku:1").matches(';').count()
    );
}
