#!/usr/bin/env python3
"""Has moku write games as SGF and reads them with sgfmill: the same size, komi, handicap, stones and board; and a review, with a
win rate and a comment for every move and moku's lines as variations that can be played.

    python3 scripts/check-sgf.py target/release/moku
"""

import pathlib
import re
import subprocess
import sys
import tempfile

from sgfmill import sgf, sgf_moves

MOKU = sys.argv[1] if len(sys.argv) > 1 else "target/release/moku"

GAMES = {
    "an empty board": [],
    "a game": ["play b e5", "play w c3", "play b pass", "play w g7", "play b c4"],
    "a capture": ["play b a1", "play w a2", "play b e5", "play w b1"],
    "a handicap": ["fixed_handicap 4", "play w e5", "play b e4"],
    "a free handicap": ["set_free_handicap c3 g7 e5", "play w e6"],
    "a set-up": ["gogui-setup b c3 w g7 b e5", "gogui-setup_player w", "play w e4", "play b d4"],
    "one colour twice": ["play b c3", "play b g7", "play w pass", "play w e5"],
    "played by moku": ["engine uct playouts=200"] + ["genmove b", "genmove w"] * 12,
}


def converse(size, komi, commands):
    lines = [f"boardsize {size}", f"komi {komi}", *commands, "printsgf", "showboard", "quit"]
    args = [MOKU, "--seed", "1", "--threads", "1", "--no-resign"]
    done = subprocess.run(args, input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    replies = done.stdout.split("\n\n")[: len(lines)]
    for line, reply in zip(lines, replies):
        assert reply.startswith("="), f"{line}: {reply}"
    return [reply.removeprefix("= ") for reply in replies]


def stones_in_picture(picture, size):
    """moku's picture of the board: X and O, the last move in brackets."""
    rows = [line for line in picture.splitlines() if line.strip() and line.strip()[0].isdigit()]
    board = []
    for row in rows:
        points = [c for c in row[3 : 3 + 2 * size + 1] if c in ".+XO"]
        assert len(points) == size, row
        board.append([{"X": "b", "O": "w"}.get(c) for c in points])
    return board[::-1]


def check(name, size, komi, commands):
    *_, text, picture, _ = converse(size, komi, commands)
    game = sgf.Sgf_game.from_bytes(text.encode())
    assert (game.get_size(), game.get_komi()) == (size, komi), name
    if "handicap" in name:
        assert game.get_handicap() == (4 if "fixed" in commands[0] else 3), name
    board, moves = sgf_moves.get_setup_and_moves(game)
    for color, move in moves:
        if move is not None:
            board.play(*move, color)
    seen = [[board.get(y, x) for x in range(size)] for y in range(size)]
    assert seen == stones_in_picture(picture, size), f"{name}: {text}"
    written = sum(c.startswith(("play", "genmove")) for c in commands)
    assert len(moves) == written, f"{name}: {len(moves)} moves of {written}"


for size, komi in [(9, 7.5), (13, 0.5), (19, -3.0)]:
    for name, commands in GAMES.items():
        check(f"{name} on {size}x{size}", size, komi, commands)
print(f"sgfmill reads all of {3 * len(GAMES)} games")


def check_review(name, playouts):
    """What Sabaki draws (SBKV), comments, and lines beside the game that are legal from where they start."""
    root = pathlib.Path(__file__).parent.parent
    with tempfile.TemporaryDirectory() as folder:
        game = pathlib.Path(folder, "game.sgf")
        game.write_bytes((root / "sgf/examples" / name).read_bytes())
        reviewed = pathlib.Path(folder, "reviewed.sgf")
        command = [MOKU, "review", str(game), "--playouts", str(playouts), "-o", str(reviewed), "--seed", "1"]
        subprocess.run(command, check=True, capture_output=True)
        before = sgf.Sgf_game.from_bytes(game.read_bytes())
        after = sgf.Sgf_game.from_bytes(reviewed.read_bytes())
    moves = [node.get_move() for node in before.get_main_sequence()]
    assert [node.get_move() for node in after.get_main_sequence()] == moves, "the game itself stays"
    board, _ = sgf_moves.get_setup_and_moves(before)
    lines = 0
    for node, move in list(zip(after.get_main_sequence(), moves))[1:]:
        rate = float(node.get_raw("SBKV"))
        assert 0 <= rate <= 100, rate
        assert re.search(r"(Black|White) (wins|falls from) [\d.]+ %", node.get("C")), node.get("C")
        for other in node.parent[1:]:
            lines += 1
            at, line = board.copy(), other
            while True:
                color, point = line.get_move()
                if point is not None:
                    assert at.get(*point) is None, f"{name}: a line plays on a stone"
                    at.play(*point, color)
                if len(line) == 0:
                    break
                line = line[0]
            assert "moku's choice" in other.get("C"), other.get("C")
        color, point = move
        if point is not None:
            board.play(*point, color)
    return lines


lines = check_review("go9.sgf", 60) + check_review("go19.sgf", 30)
assert lines > 0
print(f"sgfmill reads reviews: a win rate and a comment for every move, {lines} lines beside the games")
