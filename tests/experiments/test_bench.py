"""The bench prints what it measures; nothing here is timed."""

import io
import re
import sys
import tomllib
import types
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import sim
from agents import resolve
from agents.desk import THOUGHT, VIEW, new_desk
from agents.mcts import search
from experiments import bench, cli, loads, peers
from experiments.store import versions

ROOT = Path(__file__).parent.parent.parent
CONNECT_FOUR = sim.load("connect_four")


@pytest.fixture
def alone(monkeypatch):
    """No peer is installed, whatever is."""

    monkeypatch.setattr(peers, "PEERS", dict.fromkeys(peers.PEERS, "kibitz-no-such-thing"))


class Position:
    """A position of OpenSpiel's, as far as the bench asks for it."""

    def __init__(self):
        self.state = CONNECT_FOUR.new(seed=0)

    def apply_action(self, action):
        CONNECT_FOUR.apply(self.state, action)

    def legal_actions(self):
        return CONNECT_FOUR.legal(self.state).tolist()

    def is_terminal(self):
        return bool(self.state.over)

    def returns(self):
        ranks = CONNECT_FOUR.ranks(self.state)
        return [0.0, 0.0] if ranks[0] == ranks[1] else [3.0 - 2 * rank for rank in ranks]


class FirstColumn:
    """In the place of OpenSpiel's search; keeps how it was made."""

    made = []

    def __init__(self, *arguments):
        FirstColumn.made.append(arguments)

    def step(self, position):
        return position.legal_actions()[0]


@pytest.fixture
def pyspiel(monkeypatch):
    FirstColumn.made.clear()
    module = types.SimpleNamespace(
        load_game=lambda name: types.SimpleNamespace(new_initial_state=Position),
        MCTSBot=FirstColumn,
        RandomRolloutEvaluator=lambda num_rollouts, seed: num_rollouts,
        ChildSelectionPolicy=types.SimpleNamespace(UCT="UCT"),
    )
    monkeypatch.setitem(sys.modules, "pyspiel", module)
    return module


def test_it_prints_every_figure_with_date_machine_and_versions(monkeypatch, alone):
    for place, name in ((bench, "_fast_figures"), (bench, "_start_figures"), (loads, "figures")):
        monkeypatch.setattr(place, name, lambda name=name: [(name, "1.5", "times")])
    for quick, names in (
        (True, ["_fast_figures"]),
        (False, ["figures", "_start_figures", "_fast_figures"]),
    ):
        out = io.StringIO()
        bench.run(Console(file=out, width=cli._BENCH_WIDTH), quick=quick)
        text = out.getvalue()
        assert re.findall(r"^(\w+) +1.5 +times", text, re.MULTILINE) == names
        assert re.search(r"^\d{4}-\d\d-\d\d, measured in \d+\.\d minutes$", text, re.MULTILINE)
        assert re.search(r"\d cores, ", text)
        for package, number in versions().items():
            assert f"{package} {number}" in " ".join(text.split())


def test_a_peer_that_is_missing_is_said_and_how_to_install_it(alone):
    assert peers.installed() == {}
    rows = list(peers.figures())
    assert [row[0] for row in rows] == [f"beside {peer}" for peer in peers.PEERS]
    assert {row[1:] for row in rows} == {("not installed", peers.INSTALL)}


def test_the_extra_brings_every_peer():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    names = {re.match(r"\w+", line).group() for line in extras["optional-dependencies"]["bench"]}
    assert names == set(peers.PEERS.values())
    assert "kibitz[bench]" in peers.INSTALL


def test_only_peers_that_are_installed_are_measured(monkeypatch):
    monkeypatch.setattr(peers, "installed", lambda: {"Pgx": "1.0", "OpenSpiel": "2.0"})
    for name in ("search", "openspiel", "match", "pgx", "catanatron"):
        row = (name, "1", "times")
        monkeypatch.setattr(peers, f"_{name}_figures", lambda row=row: iter([row]))
    names = [figure for figure, _, _ in peers.figures()]
    assert names == ["search", "openspiel", "match", "pgx", "beside catanatron"]
    names = [figure for figure, _, _ in peers.figures(quick=True)]
    assert names == ["search", "openspiel", "pgx", "beside catanatron"]


def test_the_best_of_several_rounds_counts_for_either_side():
    ours = iter([1000.0, *[3000.0] * peers._ROUNDS])
    theirs = iter([2000.0, *[100.0] * peers._ROUNDS])
    rows = peers._side_by_side("play", "theirs", lambda: next(ours), lambda: next(theirs), "a/s")
    assert list(rows) == [
        ("play, kibitz", "3,000", "a/s"),
        ("the same, theirs", "2,000", "a/s"),
        ("", "1.5", "times as many"),
    ]


def test_each_opening_is_played_with_both_colours(pyspiel):
    shares, milliseconds = peers.play_openings("mcts:simulations=200", 0.5, 6)
    assert len(shares) == 6
    assert np.mean(shares) > 0.9  # who always takes the first column is no match
    assert min(milliseconds) > 0
    assert len(FirstColumn.made) == 12
    for arguments in FirstColumn.made:
        _, num_rollouts, exploration, bound, _, solve, _, _, policy, seconds = arguments
        assert bound >= 10**9
        assert (num_rollouts, exploration, solve, policy, seconds) == (1, 2.0, True, "UCT", 0.5)


def test_the_search_of_the_peer_plays_the_move_that_it_found():
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("connect_four")
    position = game.new_initial_state()
    for column in (3, 0, 3, 0, 3, 0):  # the first player wins at once, in column 3
        position.apply_action(column)
    for seed in range(1, 9):
        bot = peers._bot(game, peers._NO_BOUND, solve=True, seed=seed, seconds=0.01)
        assert bot.step(position) == 3


def test_the_points_are_those_of_the_agent_and_not_of_the_peer(pyspiel, monkeypatch):
    monkeypatch.setattr(FirstColumn, "step", lambda self, position: position.legal_actions()[-1])
    shares, _ = peers.play_openings("mcts:simulations=1,nodes=2", 0.5, 10)
    again, _ = peers.play_openings("mcts:simulations=300", 0.5, 10)
    assert np.mean(shares) < np.mean(again)


def test_the_rows_of_a_match_hold_share_interval_and_time(monkeypatch):
    monkeypatch.setattr(peers, "play_openings", lambda *_: ([1.0, 0.5, 1.0], (10.04, 9.0)))
    rows = list(peers._match_figures())
    assert len(rows) == 2 * len(peers._MATCHES)
    assert rows[0][:2] == ("connect_four, 10 ms a move, 6 games with MCTSBot", "83.3")
    assert re.fullmatch(r"% of the points, \d+ - \d+", rows[0][2])
    assert rows[1] == ("a move of kibitz, of MCTSBot", "10.0, 9.0", "ms, mean")


def test_a_search_counts_its_steps_for_the_length_of_its_games():
    agent = resolve("mcts:simulations=1", CONNECT_FOUR)
    desk = new_desk(CONNECT_FOUR, agent.max_nodes)
    desk.worlds[VIEW] = CONNECT_FOUR.new(seed=1)
    CONNECT_FOUR.apply(desk.worlds[VIEW], 3)
    stream = np.random.SFC64(1).state["state"]["state"]
    for _ in range(20):
        search(CONNECT_FOUR.rules, agent.row, 0, stream, *desk)
        assert desk.notes.num_steps == desk.worlds[THOUGHT].turn - 1


def test_the_kept_output_tells_when_on_what_and_with_what():
    text = (ROOT / "docs" / "bench.txt").read_text()
    assert re.search(r"^\d{4}-\d\d-\d\d, measured in", text, re.MULTILINE)
    assert "cores" in text
    assert "…" not in text  # nothing was cut
    assert "not installed" not in text
    for peer in peers.PEERS:
        assert re.search(rf"\b{peer} \d", text)


def test_what_tournaments_cost_is_measured_in_processes_of_their_own(monkeypatch):
    monkeypatch.setattr(loads, "_MEASURES", ("_going_on",))
    (figure,) = loads.figures()
    assert figure[0] == "what is missing of 1,000 blocks" and figure[2] == "ms"
    assert float(figure[1]) > 0
