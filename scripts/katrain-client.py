#!/usr/bin/env python3
"""Drives `moku analysis` with the code that KaTrain talks to its engine with, without a window.

scripts/katrain-client.py [MOKU]      needs the packages katrain, kivy and pysgf
"""

import os
import shlex
import sys
import threading
import time

os.environ.update(KIVY_NO_ARGS="1", KIVY_NO_CONSOLELOG="1", KIVY_NO_FILELOG="1", KIVY_HEADLESS="1")

from katrain.core.engine import KataGoEngine  # noqa: E402
from katrain.core.game_node import GameNode  # noqa: E402
from pysgf import Move  # noqa: E402


class Application:
    """What the engine's code asks of the application: somewhere to write, and nothing to draw."""

    def __init__(self):
        self.lines = []

    def log(self, message, level=None):
        self.lines.append(str(message))

    def __call__(self, *args):
        raise SystemExit(f"the application would show {args}")


def wait(what, is_there):
    end = time.time() + 120
    while not is_there():
        if time.time() > end:
            raise SystemExit(f"nothing came: {what}")
        time.sleep(0.02)


def main():
    moku = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "target/release/moku")
    application = Application()
    config = {
        # KaTrain ends the shell that it starts: moku takes the shell's place.
        "altcommand": f"exec {shlex.quote(moku)} analysis --seed 1",
        "max_visits": 300, "fast_visits": 60, "max_time": 20.0, "wide_root_noise": 0.04, "_enable_ownership": True,
    }
    engine = KataGoEngine(application, config)

    # A game of nine moves on 9x9, every node analysed as KaTrain does when a game is loaded.
    root = GameNode(properties={"SZ": ["9"], "KM": ["7.5"], "RU": ["chinese"]})
    node, nodes = root, [root]
    for i, vertex in enumerate("E5 C3 G7 C7 G3 E3 pass D4 E4".split()):
        node = node.play(Move.from_gtp(vertex, player="BW"[i % 2]))
        nodes.append(node)
    for node in nodes:
        node.analyze(engine)
    wait("the analysis of a game", lambda: all(node.analysis_complete for node in nodes))
    for node in nodes:
        assert node.analysis["root"]["visits"] == 300, node.analysis["root"]
        assert 0 <= node.winrate <= 1 and abs(node.score) < 100
        assert len(node.ownership) == 81 and len(node.policy) == 82
        best = node.candidate_moves[0]
        assert best["order"] == 0 and best["pv"][0] == best["move"] and "pointsLost" in best
        assert node.policy_ranking
    assert nodes[3].points_lost is not None and nodes[3].format_score() and nodes[3].format_winrate()
    print("10 positions of a game:", " ".join(node.format_score() for node in nodes))

    # Pondering: partial results until it is stopped.
    seen = []
    node = nodes[-1]
    engine.request_analysis(node, lambda result, partial: seen.append((partial, result)), ponder=True)
    wait("results while pondering", lambda: sum(partial for partial, _ in seen) >= 2)
    engine.stop_pondering()
    wait("the end of pondering", lambda: any(not partial for partial, _ in seen))
    print(len(seen), "results while pondering")

    # A query that is given up, a new game, an illegal move, moves to avoid.
    engine.request_analysis(node, lambda *_: None, visits=10_000_000, time_limit=False)
    wait("the query to be sent", lambda: engine.queries)
    engine.on_new_game()
    errors, answers = [], []
    bad = Move.from_gtp("E5", player="W")
    engine.request_analysis(nodes[1], lambda *_: None, errors.append, next_move=bad)
    wait("the refusal of an illegal move", lambda: errors)
    assert "Illegal move" in errors[0]["error"], errors
    engine.request_analysis(nodes[0], lambda result, partial: answers.append(result), region_of_interest=[0, 2, 0, 2])
    wait("moves of a region", lambda: answers)
    moves = {info["move"] for info in answers[0]["moveInfos"]}
    assert moves and moves <= {a + b for a in "ABC" for b in "123"} | {"pass"}, moves
    wait("an idle engine", engine.is_idle)
    wrong = [line for line in application.lines if "exception" in line.lower() or "Error in" in line]
    assert not wrong, wrong
    engine.shutdown(finish=True)
    assert threading.active_count() < 10
    print("all that KaTrain asks is answered")


main()
