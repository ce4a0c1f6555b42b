"""Runs with other seeds become one; what does not belong together is refused."""

import pytest

import experiments as ex
import sim
from experiments import store

AGENTS = ["random", "greedy", "mcts:simulations=5"]


def play(folder, seed, agents=AGENTS, **how):
    how = {"players": 2, "blocks": 6} | how
    ex.tournament("treelings", agents, seed=seed, out=folder, **how)
    return folder


@pytest.fixture
def runs(tmp_path):
    return [play(tmp_path / f"run{seed}", seed) for seed in (1, 2, 3)]


def test_merged_runs_hold_all_rows_numbered_on(runs, tmp_path):
    merged = ex.merge(tmp_path / "all", runs)
    assert merged.equals(ex.load_results(tmp_path / "all"))
    parts = [ex.load_results(run) for run in runs]
    assert len(merged) == sum(map(len, parts))
    assert merged.block.unique().tolist() == list(range(18))
    assert merged.match.unique().tolist() == list(range(36))
    for name in ("seed", "score", "rank", "fingerprint", "seating", "agent"):
        assert merged[name].tolist() == [value for part in parts for value in part[name]]
    shares = ex.win_shares(merged).set_index("agent").win_share
    means = sum(ex.win_shares(part).set_index("agent").win_share for part in parts) / 3
    assert shares.to_dict() == pytest.approx(means.to_dict())
    assert (ex.win_shares(merged).blocks == 12).all()


def test_the_manifest_keeps_those_of_the_runs(runs, tmp_path):
    ex.merge(tmp_path / "all", runs)
    manifest = store.read_manifest(tmp_path / "all")
    assert [part["seed"] for part in manifest["merged"]] == [1, 2, 3]
    assert manifest["seed"] is None
    assert (manifest["blocks"], manifest["matches"]) == (18, 36)


def test_runs_of_other_lengths_are_merged(tmp_path):
    runs = [play(tmp_path / "short", 1, blocks=3), play(tmp_path / "long", 2, blocks=9)]
    assert ex.merge(tmp_path / "all", runs).block.nunique() == 12


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"seed": 1}, "hold the same blocks"),
        ({"agents": ["random", "greedy", "mcts:simulations=6"]}, "different: agents"),
        ({"players": 3, "blocks": 6}, "different: rule_sets, line_ups"),
        ({"seats": "permutations"}, None),
        ({"precision": 0.3}, "may have ended early"),
    ],
)
def test_what_does_not_belong_together_is_refused(tmp_path, change, words):
    one = play(tmp_path / "one", 1)
    other = play(tmp_path / "other", **({"seed": 2} | change))
    if words is None:  # of two seats the rotations are all permutations
        assert len(ex.merge(tmp_path / "all", [one, other])) == 48
        return
    with pytest.raises(ValueError, match=words):
        ex.merge(tmp_path / "all", [one, other])
    assert not (tmp_path / "all").exists()


def test_other_folders_are_refused(runs, tmp_path):
    with pytest.raises(ValueError, match="two and more"):
        ex.merge(tmp_path / "all", runs[:1])
    with pytest.raises(ValueError, match="is there already"):
        ex.merge(runs[0], runs)
    with pytest.raises(ValueError, match="holds no tournament"):
        ex.merge(tmp_path / "all", [*runs, tmp_path])
    ex.merge(tmp_path / "all", runs[:2])
    with pytest.raises(ValueError, match="is merged itself"):
        ex.merge(tmp_path / "more", [tmp_path / "all", runs[2]])
    interrupted = tmp_path / "interrupted"
    with pytest.raises(KeyboardInterrupt):
        play(interrupted, 4, progress=lambda _: (_ for _ in ()).throw(KeyboardInterrupt))
    with pytest.raises(ValueError, match="not finished"):
        ex.merge(tmp_path / "more", [*runs, interrupted])


def test_a_match_of_a_merged_run_is_played_again(runs, tmp_path):
    merged = ex.merge(tmp_path / "all", runs)
    game = sim.load("treelings", players=2)
    for match in (0, 13, 35):
        record = ex.play_again(merged, match, game, AGENTS)
        assert record.scores == tuple(merged[merged.match == match].score)
