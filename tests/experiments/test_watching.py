"""How a tournament stands while it is played."""

import IPython.display
import pytest

import experiments as ex
from experiments.watching import LiveTable, Standing

AGENTS = ["random", "greedy", "mcts:simulations=5"]


class Recorder(Standing):
    """Keeps the standing at each call."""

    def __init__(self):
        super().__init__()
        self.seen = []

    def __call__(self, num_matches):
        self.seen.append((num_matches, self.matches))


def test_the_standing_is_that_of_the_rows_so_far():
    standing = Recorder()
    results = ex.tournament("treelings", AGENTS, players=2, blocks=90, seed=1, progress=standing)
    assert all(told == added for told, added in standing.seen)
    assert standing.seen[0] == (0, 0)
    assert standing.seen[-1][0] == 180
    table, expected = standing.table(), ex.win_shares(results)
    assert table.agent.tolist() == expected.agent.tolist()
    assert table.win_share.tolist() == pytest.approx(expected.win_share.tolist())
    assert table.score.tolist() == pytest.approx(expected.score.tolist())
    assert table.seats.sum() == len(results)


def test_nothing_played_is_an_empty_table():
    assert len(Standing().table()) == 0


def test_what_was_played_before_counts(tmp_path):
    def stop(num_matches):
        if num_matches > 20:
            raise KeyboardInterrupt

    arguments = {"players": 2, "blocks": 90, "seed": 1, "out": tmp_path / "run"}
    with pytest.raises(KeyboardInterrupt):
        ex.tournament("treelings", AGENTS, **arguments, progress=stop)
    standing = Recorder()
    ex.tournament("treelings", AGENTS, **arguments, progress=standing)
    assert standing.seen[0][0] == standing.seen[0][1] > 20
    assert standing.matches == 180


def test_a_notebook_shows_one_table_that_is_renewed(monkeypatch):
    shown, renewed = [], []

    class Handle:
        def update(self, content):
            renewed.append(content.data)

    def display(content, display_id):
        assert display_id
        shown.append(content.data)
        return Handle()

    monkeypatch.setattr(IPython.display, "display", display)
    live = LiveTable(every=0)
    results = ex.tournament("treelings", AGENTS, players=2, blocks=90, seed=1, progress=live)
    assert len(shown) == 1
    assert len(renewed) > 10
    assert renewed[-1].startswith("180 matches, ")
    best = ex.win_shares(results).iloc[0]
    assert best.agent in renewed[-1]
    assert f"{best.win_share:.1%}" in renewed[-1]
    seldom = LiveTable(every=1000)
    renewed.clear()
    ex.tournament("treelings", AGENTS, players=2, blocks=90, seed=1, progress=seldom)
    assert renewed == []
