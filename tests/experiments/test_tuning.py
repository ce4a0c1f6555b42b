"""Tuning: what is tried, on which seeds, what is kept, what is refused, and what is printed."""

import json
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from games_under_test import SHIPPED

import experiments as ex
import sim
from agents import KINDS, resolve
from experiments import cli, tuning
from experiments.schedules import block_seeds
from experiments.stats import measures, who_beats_whom
from experiments.tuning import FIXED, SEARCH_RANGES, Range, Tuning, TuningFolder, tune

BAD = "greedy:rival_wins_next=0.9"  # likes it when the rival is about to win
SMALL = {"trials": 16, "blocks": 6, "confirm_blocks": 12, "seed": 5}
MCTS = "mcts:simulations=8,exploration=0.5,horizon=6,softness=8,paired=1"
TABLES = ("trials", "finalists", "parameters", "gain")
BOT_FILE = """
class Picky:
    def choose(self, view, legal, rng):
        return legal[0]
"""


class Killed(Exception):
    """Stands for whatever ends a process."""


def stop_after(num_matches):
    """A progress callback that stops the run once so many matches are finished."""

    def progress(finished):
        if finished >= num_matches:
            raise Killed

    return progress


def assert_same(one, other):
    assert one.agent == other.agent
    for name in TABLES:
        pd.testing.assert_frame_equal(getattr(one, name), getattr(other, name))


def ranges_of(agent, game="treelings", **more):
    return {r.name: r for r in Tuning(game, agent, **more).ranges}


@pytest.fixture(scope="module")
def repaired(tmp_path_factory):
    """A tuning of a bad agent, its folder, and how many matches it said were finished."""
    folder = tmp_path_factory.mktemp("tuning") / "run"
    told = []
    more = {"trials": 24, "blocks": 20, "confirm_blocks": 100, "seed": 1}
    found = tune("connect_four", BAD, out=folder, progress=told.append, **more)
    return found, folder, told


@pytest.fixture(scope="module")
def undisturbed():
    return tune("connect_four", BAD, **SMALL)


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """The folder of a small tuning, whole."""
    folder = tmp_path_factory.mktemp("tuning") / "small"
    tune("connect_four", BAD, out=folder, **SMALL)
    return folder


# What comes out -----------------------------------------------------------------------------------


def test_a_bad_weight_is_repaired_and_the_gain_confirmed(repaired):
    found, _, _ = repaired
    weight = found.parameters.set_index("name").tuned["rival_wins_next"]
    assert weight < 0
    assert (found.gain.agent == found.agent).all()
    assert (found.gain.opponent == BAD).all()
    assert found.gain.measure.tolist() == ["share", "margin"]
    assert (found.gain.low > found.gain.no_gain).all()
    assert found.gain.no_gain.tolist() == [0.5, 0.0]


def test_the_gain_is_what_a_tournament_on_the_seed_of_the_confirmation_says(repaired):
    found, folder, _ = repaired
    share, margin = found.gain.itertuples()
    results = ex.tournament(
        "connect_four", [found.agent, BAD], blocks=share.blocks, seed=int(share.seed)
    )
    pair = who_beats_whom(results).set_index("agent").loc[found.agent]
    assert [share.value, share.low, share.high] == [pair.share, pair.low, pair.high]
    scores = results.groupby("agent", observed=True).score.mean()
    assert margin.value == pytest.approx(scores[found.agent] - scores[BAD])
    assert share.matches == margin.matches == results.match.nunique()
    kept = ex.load_results(folder / "confirmation" / "tuned_given")
    pd.testing.assert_frame_equal(kept.drop(columns="seconds"), results.drop(columns="seconds"))


def test_the_margin_has_students_interval_over_blocks():
    rows = [
        (block, 2 * block + m, seat, agent, score)
        for block, pair in enumerate([(3, 1), (9, 5), (4, 1), (2, 1)])
        for m in range(2)
        for seat, agent, score in ((1 + m, "a", pair[0]), (2 - m, "b", pair[1]))
    ]
    results = pd.DataFrame(rows, columns=["block", "match", "seat", "agent", "score"])
    results = results.assign(rank=np.where(results.agent == "a", 1, 2), end="finished")
    found = measures(results, "a", "b")
    half = 3.182446 * np.std([2, 4, 3, 1], ddof=1) / 2
    assert found["margin"] == 2.5
    assert [found["margin_low"], found["margin_high"]] == pytest.approx([2.5 - half, 2.5 + half])
    assert found["share"] == 1
    assert measures(results, "b", "a")["margin"] == -2.5


def test_the_first_trial_is_the_agent_as_given(repaired):
    found, _, _ = repaired
    first = found.trials.iloc[0]
    assert (first.trial, first.generation, first.agent) == (0, 0, BAD)
    assert (first.share, first.margin) == (0.5, 0)
    assert first.param_rival_wins_next == 0.9
    assert found.trials.trial.tolist() == list(range(25))


def test_every_row_of_the_table_is_a_tournament_that_can_be_played_again(undisturbed):
    row = undisturbed.trials.iloc[9]
    results = ex.tournament("connect_four", [row.agent, BAD], blocks=6, seed=int(row.seed))
    again = measures(results, row.agent, BAD)
    assert {name: row[name] for name in again} == again
    parameters = resolve(row.agent, sim.load("connect_four")).parameters
    for name in undisturbed.parameters.name:
        assert row[f"param_{name}"] == parameters[name]


def test_the_best_of_the_second_round_is_what_comes_out(repaired):
    found, _, _ = repaired
    assert 2 <= len(found.finalists) <= 5
    assert found.finalists.agent.is_unique
    assert found.agent == found.finalists.loc[found.finalists.share.idxmax()].agent
    by_share = found.trials[found.trials.trial > 0].sort_values("share", ascending=False)
    chosen = found.finalists[found.finalists.trial > 0]
    assert set(chosen.agent) <= set(by_share[by_share.share >= by_share.share.iloc[5]].agent)


def test_the_mean_of_the_search_is_among_the_finalists(repaired):
    found, _, _ = repaired
    (row,) = found.finalists[found.finalists.trial == -1].itertuples()
    assert row.agent not in set(found.trials.agent)


def test_who_is_tuned_for_the_margin_is_chosen_by_it():
    found = tune("treelings", "greedy", objective="margin", **SMALL)
    assert found.agent == found.finalists.loc[found.finalists.margin.idxmax()].agent
    best = found.trials.drop(0).margin.idxmax()
    assert found.trials.trial[best] in set(found.finalists.trial)


def test_another_opponent_is_met_by_the_given_agent_too():
    found = tune("connect_four", BAD, opponent="random", **SMALL)
    pairs = list(zip(found.gain.agent, found.gain.opponent, strict=True))[::2]
    assert pairs == [(found.agent, BAD), (found.agent, "random"), (BAD, "random")]
    assert found.opponent == "random"
    assert found.trials.share[0] > 0.5
    shares = found.gain[found.gain.measure == "share"]
    for row in shares.itertuples():
        pair = [row.agent, row.opponent]
        results = ex.tournament("connect_four", pair, blocks=12, seed=int(row.seed))
        assert measures(results, *pair)["share"] == row.value
    assert shares.value.is_unique


def test_a_bot_can_be_the_opponent(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("bots.py").write_text(BOT_FILE)
    more = {"trials": 1, "blocks": 1, "confirm_blocks": 2}
    found = tune("connect_four", "greedy", opponent="bots.py:Picky", **more)
    assert found.opponent == "bots.py:Picky"
    assert found.gain.value[2] > 0.5


def test_a_bot_is_a_class_too():
    class Last:
        def choose(self, view, legal, rng):
            return legal[-1]

    found = tune("connect_four", "greedy", opponent=Last, trials=1, blocks=1, confirm_blocks=1)
    assert found.opponent == "Last"


def test_one_block_says_no_interval_and_can_be_read_back(tmp_path):
    more = {"trials": 2, "blocks": 1, "confirm_blocks": 1, "out": tmp_path / "run"}
    first = tune("connect_four", "greedy", **more)
    assert first.gain.low.tolist()[0] == 0 and np.isnan(first.gain.low[1])
    assert_same(tune("connect_four", "greedy", **more), first)


def test_search_parameters_are_tuned_whole_numbers_stay_whole():
    found = tune("connect_four", MCTS, trials=6, blocks=2, confirm_blocks=4)
    assert found.parameters.name.tolist() == ["exploration", "horizon", "softness"]
    assert pd.api.types.is_integer_dtype(found.trials.param_horizon)
    assert found.trials.agent.str.startswith("mcts:simulations=8,").all()
    assert found.trials.agent.str.contains("paired=1").all()
    assert found.trials.param_horizon.nunique() > 1


def test_a_search_on_even_ground_comes_to_an_end():
    """Where all trials do equally well the search has nothing to go by, and must not mind."""
    game = sim.load("connect_four", max_turns=1)
    found = tune(game, "greedy", trials=60, blocks=1, confirm_blocks=2)
    assert set(found.trials.share) == {0.5}
    numbers = found.trials[[f"param_{name}" for name in found.parameters.name]]
    assert np.isfinite(numbers.to_numpy()).all()


def test_three_seats_take_two_line_ups():
    plan = Tuning("treelings", "greedy", players=3)
    assert (plan.blocks, plan.confirm_blocks, plan.rotations) == (200, 1000, 3)
    plan = Tuning("treelings", "greedy", players=2)
    assert (plan.blocks, plan.confirm_blocks, plan.rotations) == (100, 500, 2)


# Seeds --------------------------------------------------------------------------------------------


def seeds_of(row):
    seeds = np.zeros(row.blocks, np.int64)
    block_seeds(int(row.seed), np.arange(len(seeds)), seeds)
    return set(seeds.tolist())


def test_a_generation_shares_its_deals_and_no_rounds_do(repaired):
    found, _, _ = repaired
    by_generation = found.trials[found.trials.trial > 0].groupby("generation")
    assert by_generation.ngroups > 2
    assert (by_generation.seed.nunique() == 1).all()
    rounds = [rows.iloc[0] for _, rows in by_generation]
    rounds += [found.finalists.iloc[0], found.gain.iloc[0]]
    assert found.finalists.seed.nunique() == found.gain.seed.nunique() == 1
    drawn = [seeds_of(row) for row in rounds]
    assert len(set.union(*drawn)) == sum(map(len, drawn))


def test_the_seed_decides_everything_and_the_number_of_workers_nothing(undisturbed):
    assert_same(tune("connect_four", BAD, n_jobs=2, **SMALL), undisturbed)
    other = tune("connect_four", BAD, **SMALL | {"seed": 6})
    assert not set(other.trials.seed) & set(undisturbed.trials.seed)
    assert other.trials.agent.tolist()[1:] != undisturbed.trials.agent.tolist()[1:]


def test_seeds_beyond_32_bits_and_below_zero_are_accepted():
    for seed in (-1, 2**64 - 2):
        tune("connect_four", "greedy", seed=seed, trials=1, blocks=1, confirm_blocks=1)


# Ranges -------------------------------------------------------------------------------------------


def test_all_weights_but_the_score_are_tuned_around_their_defaults():
    game = sim.load("treelings")
    ranges = ranges_of("greedy")
    defaults = dict(zip(game.definition.feature_names, game.definition.weights, strict=True))
    assert list(ranges) == list(defaults)[1:]
    for name, r in ranges.items():
        assert r.low < defaults[name] < r.high
        assert r.low < 0 < r.high
        assert r.given == defaults[name]
        assert r.number(r.start) == defaults[name]


def test_the_usual_range_of_a_weight_holds_what_is_given():
    (r, *_) = ranges_of("greedy:best_rival=7").values()
    assert r.low < -0.5 < 7 < r.high
    assert r.number(r.start) == 7


def test_the_default_agent_is_tuned_by_what_it_spells_out():
    game = sim.load("newdale", players=2)
    plan = Tuning(game, "default:simulations=5", trials=1)
    assert plan.given.label == resolve("default:simulations=5", game).label
    assert [r.name for r in plan.ranges] == ["exploration", "prior", "horizon", "greed", "softness"]


@pytest.mark.parametrize("game", SHIPPED)
def test_every_game_with_weights_can_be_tuned(game):
    plan = Tuning(game, "greedy", players=2)
    start = plan.candidate([r.start for r in plan.ranges])
    assert start.parameters == pytest.approx(resolve("greedy", plan.game).parameters)


def test_every_parameter_of_search_has_a_range_or_a_reason_to_have_none():
    parameters = {p.name: p for p in KINDS["mcts"].parameters}
    assert set(SEARCH_RANGES) | set(FIXED) == set(parameters)
    assert not set(SEARCH_RANGES) & set(FIXED)
    for name, (low, high, is_logarithmic) in SEARCH_RANGES.items():
        assert parameters[name].low <= low < high <= parameters[name].high
        assert low > 0 or not is_logarithmic
        assert isinstance(low, parameters[name].type)


def test_what_the_spec_of_mcts_names_is_tuned():
    assert list(ranges_of("mcts")) == ["exploration"]
    assert list(ranges_of("mcts:seconds=0.1,prior=1,rank=1")) == ["exploration", "prior", "rank"]
    names = "exploration=1,prior=1,horizon=5,greed=1,softness=2,margin=0,rank=0"
    assert set(ranges_of(f"mcts:{names}")) == set(SEARCH_RANGES)


def test_a_range_that_is_asked_for_is_the_one_that_is_tried():
    given = {"cards": (0.1, 0.3), "horizon": (3, 5), "exploration": None}
    ranges = ranges_of("mcts:horizon=4", parameters=given)
    assert list(ranges) == list(given)
    assert (ranges["cards"].low, ranges["cards"].high) == (0.1, 0.3)
    assert (ranges["horizon"].low, ranges["horizon"].high) == (3, 5)
    assert ranges["exploration"].low == SEARCH_RANGES["exploration"][0]


def test_a_parameter_that_is_not_in_force_starts_in_the_middle():
    ranges = ranges_of("mcts", parameters={"horizon": None, "cards": None, "softness": (1, 9)})
    assert ranges["horizon"].given is None
    assert ranges["horizon"].start == ranges["softness"].start == 0.5
    assert ranges["cards"].number(ranges["cards"].start) == 0.2  # as it would be by default


def test_what_is_given_beyond_the_range_starts_in_the_middle():
    assert ranges_of("greedy", parameters={"cards": (1, 2)})["cards"].start == 0.5


def test_zero_takes_a_linear_scale():
    assert ranges_of("mcts", parameters={"exploration": None})["exploration"].is_logarithmic
    r = ranges_of("mcts", parameters={"exploration": (0, 2)})["exploration"]
    assert not r.is_logarithmic
    assert (r.number(0), r.number(0.5), r.number(1)) == (0, 1, 2)


@pytest.mark.parametrize(
    "r",
    [
        Range("a", 0.02, 5.0, False, True, None),
        Range("a", -0.123456, 0.654321, False, False, None),
        Range("a", 1, 40, True, True, None),
        Range("a", 3, 5, True, False, None),
        Range("a", 1.0, 1.0001, False, False, None),
        Range("a", -1e6, 1e6, False, False, None),
    ],
    ids=str,
)
def test_numbers_stay_within_their_range_and_are_short(r):
    numbers = [r.number(place) for place in np.linspace(0, 1, 1001).tolist()]
    assert numbers[0] == r.low and numbers[-1] == r.high
    assert numbers == sorted(numbers)
    assert all(isinstance(n, int) == r.is_whole for n in numbers)
    assert len(set(numbers)) == (r.high - r.low + 1 if r.is_whole else pytest.approx(1000, abs=600))
    for n in numbers:
        assert abs(r.number(r.place(n)) - n) <= 1e-9 * max(1, abs(n))
    assert all(len(repr(n)) <= 9 for n in numbers[1:-1])


def test_the_ends_of_whole_numbers_are_tried_as_often_as_the_others():
    r = Range("a", 3, 6, True, False, None)
    numbers = [r.number(place) for place in np.linspace(0.0001, 0.9999, 4000).tolist()]
    assert np.bincount(numbers)[3:] == pytest.approx([1000] * 4, abs=2)


# The folder ---------------------------------------------------------------------------------------


def test_the_tables_are_kept_as_they_are_returned(repaired):
    found, folder, _ = repaired
    for name in TABLES:
        kept = pd.read_csv(folder / f"{name}.csv")
        pd.testing.assert_frame_equal(kept, getattr(found, name))
    kept = {path.name for path in folder.iterdir()}
    assert kept == {*(f"{name}.csv" for name in TABLES), "manifest.json", "confirmation"}


def test_the_manifest_says_all_that_was_tuned(repaired):
    _, folder, _ = repaired
    manifest = json.loads((folder / "manifest.json").read_text())
    assert set(TuningFolder.identity) <= set(manifest)
    assert [r["name"] for r in manifest["tuned"]] == ["rival_wins_next", "threats", "rival_threats"]
    assert manifest["agent"]["parameters"]["rival_wins_next"] == 0.9
    assert manifest["versions"]["cmaes"]


def test_progress_grows_to_the_number_of_matches(repaired):
    _, _, told = repaired
    plan = Tuning("connect_four", BAD, trials=24, blocks=20, confirm_blocks=100)
    assert told == sorted(told)
    assert told[-1] == plan.matches == 2 * (25 * 20 + 6 * 100)


@pytest.mark.parametrize("share", [0.0, 0.1, 0.5, 0.75, 0.97])
def test_a_run_that_was_killed_goes_on_to_the_same_tables(tmp_path, undisturbed, share):
    plan = Tuning("connect_four", BAD, **SMALL)
    with pytest.raises(Killed):
        tune("connect_four", BAD, out=tmp_path, progress=stop_after(share * plan.matches), **SMALL)
    assert_same(tune("connect_four", BAD, out=tmp_path, **SMALL), undisturbed)


def test_what_is_finished_is_not_played_again(finished, undisturbed, monkeypatch):
    play = tuning.play_tournament

    def only_read(plan, out=None, **more):
        assert out is not None and (out / "results.parquet").exists()
        return play(plan, out=out, **more)

    monkeypatch.setattr(tuning, "play_tournament", only_read)
    assert_same(tune("connect_four", BAD, out=finished, **SMALL), undisturbed)


def test_only_the_trial_under_way_is_played_again(tmp_path, monkeypatch):
    matches = Tuning("connect_four", BAD, **SMALL).rotations * SMALL["blocks"]
    with pytest.raises(Killed):
        tune("connect_four", BAD, out=tmp_path, progress=stop_after(8 * matches), **SMALL)
    kept = len(pd.read_csv(tmp_path / "trials.csv"))
    assert kept == 7
    seen = []
    measure = tuning._Rounds._measure

    def watched(self, agent, *more):
        seen.append(agent.label)
        return measure(self, agent, *more)

    monkeypatch.setattr(tuning._Rounds, "_measure", watched)
    found = tune("connect_four", BAD, out=tmp_path, **SMALL)
    assert seen[: 17 - kept] == found.trials.agent[kept:].tolist()


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"trials": 17}, r"different: trials; trials there 16, here 17"),
        ({"blocks": 7}, r"different: blocks; blocks there 6, here 7"),
        ({"confirm_blocks": 13}, "confirm_blocks there 12, here 13"),
        ({"seed": 6}, "seed there 5, here 6"),
        ({"objective": "margin"}, 'objective there "share", here "margin"'),
        ({"opponent": "random"}, "different: opponent; opponent label there"),
        ({"parameters": {"threats": (0, 1)}}, "different: tuned"),
        ({"agent": "greedy"}, "different: agent, opponent, tuned"),
        ({"game": sim.load("connect_four", max_turns=30)}, "different: options, rules_hash"),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_the_folder_of_another_tuning_is_refused(repaired, tmp_path, changed, message):
    given = {"game": "connect_four", "agent": BAD, **SMALL}
    TuningFolder(tmp_path, Tuning(**given).manifest())
    with pytest.raises(ValueError, match=f"another tuning .*{message}.*another folder"):
        tune(**given | changed, out=tmp_path)


def test_the_folder_of_something_else_is_refused(repaired, tmp_path):
    _, folder, _ = repaired
    with pytest.raises(ValueError, match="holds no tournament: manifest.json lacks"):
        ex.tournament("connect_four", ["random", "greedy"], blocks=1, out=folder)
    ex.tournament("connect_four", ["random", "greedy"], blocks=1, out=tmp_path / "run")
    with pytest.raises(ValueError, match="holds no tuning: manifest.json lacks"):
        tune("connect_four", BAD, out=tmp_path / "run", **SMALL)
    (tmp_path / "letters").mkdir()
    (tmp_path / "letters" / "to_a_friend").touch()
    with pytest.raises(ValueError, match="holds other files and no tuning"):
        tune("connect_four", BAD, out=tmp_path / "letters", **SMALL)


def test_two_at_a_time_in_one_folder_are_refused(tmp_path):
    plan = Tuning("connect_four", BAD, **SMALL)
    with TuningFolder(tmp_path, plan.manifest()):
        with pytest.raises(ValueError, match="another process is playing the tuning"):
            tune("connect_four", BAD, out=tmp_path, **SMALL)


@pytest.mark.parametrize("damage", ["cut short", "empty", "another agent", "binary"])
@pytest.mark.parametrize("name", ["trials", "finalists"])
def test_a_damaged_table_is_named(finished, tmp_path, damage, name):
    shutil.copytree(finished, tmp_path, dirs_exist_ok=True)
    file = tmp_path / f"{name}.csv"
    if damage == "cut short":
        file.write_text("\n".join(line[:20] for line in file.read_text().splitlines()))
    elif damage == "empty":
        file.write_text("")
    elif damage == "binary":
        file.write_bytes(bytes(range(128, 256)))
    else:
        frame = pd.read_csv(file)
        frame.assign(agent=frame.agent[::-1].to_list()).to_csv(file, index=False)
    with pytest.raises(ValueError, match=f"{name}.csv .*; remove it, or name another folder"):
        tune("connect_four", BAD, out=tmp_path, **SMALL)


# What is not accepted -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agent", "changed", "message"),
    [
        ("greedy", {"trials": 0}, "trials=0 is not accepted; accepted: 1 to"),
        ("greedy", {"trials": 1.5}, "trials=1.5 is not accepted"),
        ("greedy", {"trials": True}, "trials=True is not accepted"),
        ("greedy", {"blocks": 0}, "blocks=0 is not accepted"),
        ("greedy", {"blocks": 3, "players": 3}, "blocks=3 is not accepted.*such as 2 or 4"),
        ("greedy", {"confirm_blocks": 5, "players": 3}, "confirm_blocks=5 .*such as 4 or 6"),
        ("greedy", {"objective": "wins"}, "unknown objective 'wins'.*known: margin, share"),
        ("greedy", {"seed": 2**64}, "seed=.* is not accepted"),
        ("greedy", {"n_jobs": 0}, "n_jobs=0 is not accepted"),
        ("greedy", {"opponent": "greddy"}, "unknown agent 'greddy'; did you mean greedy"),
        ("greedy", {"parameters": {}}, "no parameters to tune; accepted: one or more"),
        ("greedy", {"parameters": {"card": None}}, "'card'; did you mean cards.*best_rival"),
        ("greedy", {"parameters": {"horizon": None}}, "unknown parameter of greedy 'horizon'"),
        ("greedy", {"parameters": {"cards": (1, 1)}}, "cards=1:1 is not a range; accepted"),
        ("greedy", {"parameters": {"cards": (2, 1)}}, "cards=2:1 is not a range; accepted"),
        ("greedy", {"parameters": {"cards": 1}}, r"cards=1 is not accepted; accepted: \(low, h"),
        ("greedy", {"parameters": {"cards": (0, "x")}}, "cards=x is not accepted; accepted: num"),
        ("greedy", {"parameters": {"cards": (0, np.nan)}}, "cards=nan is not accepted"),
        ("greedy", {"parameters": {"cards": (0, 1e7)}}, "accepted: numbers -1000000 to 1000000"),
        ("mcts", {"parameters": {"horizon": (1.5, 3)}}, "accepted: whole numbers 1 to"),
        ("mcts", {"parameters": {"greed": (0, 2)}}, "greed=2 is not accepted; .*numbers 0 to 1"),
        ("mcts", {"parameters": {"simulations": (1, 9)}}, "simulations .*budget.*exploration"),
        ("mcts", {"parameters": {"seconds": None}}, "seconds is not tuned, it is a budget"),
        ("mcts", {"parameters": {"nodes": None}}, "nodes is not tuned, it is a budget"),
        ("mcts", {"parameters": {"paired": None}}, "paired is not tuned, it is a switch"),
        ("mcts", {"parameters": {"cards": None}}, "cards has no effect without horizon, greed or"),
        ("mcts", {"parameters": {"softness": None}}, "softness has no effect without horizon or"),
        ("random", {}, "random has nothing to tune; accepted: greedy, mcts or default"),
        ("nowhere.py:Bot", {}, "no file 'nowhere.py'"),
        ("greedy:cards=x", {}, "cards=x is not accepted"),
    ],
)
def test_what_is_not_accepted_is_said_with_what_is(tmp_path, agent, changed, message):
    with pytest.raises(ValueError, match=message):
        tune("treelings", agent, out=tmp_path / "run", **changed)
    assert not (tmp_path / "run").exists()


def test_what_is_no_spec_is_refused():
    class Bot:
        def choose(self, view, legal, rng):
            return legal[0]

    with pytest.raises(TypeError, match="cannot be tuned; accepted: a spec of greedy or mcts"):
        tune("treelings", Bot)
    with pytest.raises(TypeError, match=r"accepted: a dict of names to \(low, high\)"):
        tune("treelings", "greedy", parameters=["cards"])
    with pytest.raises(TypeError, match="seed='1' is not accepted"):
        tune("treelings", "greedy", seed="1")


def test_alone_nothing_can_be_tuned():
    with pytest.raises(ValueError, match="alone one beats nobody.*accepted: 2 players and more"):
        tune("newdale", "greedy", players=1)


def test_ranges_that_hold_nothing_but_the_given_numbers_are_pointed_out():
    """A whole number has few neighbours, and one trial may well be the number given."""
    with pytest.raises(ValueError, match="no trial differs .*; accepted: wider ranges, or more"):
        for seed in range(20):
            tune(
                *("connect_four", "mcts:simulations=1,horizon=5"),
                parameters={"horizon": (4, 6)},
                **{"trials": 1, "blocks": 1, "confirm_blocks": 1, "seed": seed},
            )


def test_without_the_optimiser_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "cmaes", None)
    with pytest.raises(RuntimeError, match=r"cmaes.*pip install 'kibitz\[tune\]'"):
        tune("connect_four", "greedy", **SMALL)


def test_only_tuning_imports_the_optimiser():
    code = (
        "import sys, experiments, experiments.cli; experiments.tournament; "
        "from experiments import report, tuning; print('cmaes' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# The command --------------------------------------------------------------------------------------

TYPED = ("tune", "connect_four", BAD, "--trials", 16, "--blocks", 6, "--confirm-blocks", 12)


@pytest.fixture
def kibitz(monkeypatch, capsys, tmp_path):
    """Run a command in a folder of its own, in this process, as the shell would."""
    monkeypatch.chdir(tmp_path)
    for name in ("FORCE_COLOR", "NO_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "LINES"):
        monkeypatch.delenv(name, raising=False)

    def run(*words, columns=80):
        monkeypatch.setenv("COLUMNS", str(columns))
        monkeypatch.setattr(sys, "argv", ["kibitz", *map(str, words)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            cli.main()
        return ended.value.code or 0, *capsys.readouterr()

    return run


def line_of(text, word):
    """The rest of the one line that starts with a word."""
    (rest,) = re.findall(rf"^{word} +(.*)$", text, re.MULTILINE)
    return rest


@pytest.mark.parametrize("columns", [80, 100])
def test_the_command_prints_what_its_tables_say(kibitz, undisturbed, columns):
    code, out, err = kibitz(*TYPED, "--seed", 5, columns=columns)
    assert (code, err) == (0, "")
    head, tables = out.partition("\nparameter")[::2]
    assert head.splitlines() == [
        "connect_four, 2 players · 3 parameters · seed 5",
        "16 trials x 6 blocks x 2 rotations · then 12 blocks each",
        f"given     {BAD}",
        "opponent  the agent as given",
    ]
    for row in undisturbed.parameters.itertuples():
        numbers = f"{row.given:.6g} {row.tuned:.6g} {row.low:.6g} to {row.high:.6g}"
        assert line_of(tables, row.name).split() == numbers.split()
    share, margin = undisturbed.gain.itertuples()
    assert (
        line_of(out, "tuned against given").split()
        == (
            f"{100 * share.value:.1f} % {100 * share.low:.1f} - {100 * share.high:.1f} "
            f"{margin.value:+.2f} {margin.low:+.2f} to {margin.high:+.2f}"
        ).split()
    )
    assert "no gain would be 50 % and 0 · intervals over 12 blocks, 24 matches each" in out
    assert line_of(out, "tuned agent") == undisturbed.agent
    shown = out[: out.index("\ntuned agent")]
    assert max(map(len, shown.splitlines())) <= columns
    assert "…" not in out and "\x1b" not in out


def test_the_commands_it_prints_do_the_same_again(kibitz):
    _, first, _ = kibitz(*TYPED, "--set", "max_turns=40", "--out", "a folder")
    words = shlex.split(line_of(first, "command"))[1:]
    code, again, _ = kibitz(*words)
    assert code == 0
    assert again.replace("played before: the results are read, nothing is played\n", "") == first
    code, confirmed, _ = kibitz(*shlex.split(line_of(first, "confirm"))[1:], columns=200)
    assert code == 0
    assert "12 blocks x 2 rotations" in confirmed
    share = line_of(first, "tuned against given").split()[0]
    standings = [line.split() for line in confirmed.splitlines()]
    (row,) = [line for line in standings if line[:1] == [line_of(first, "tuned agent")]]
    assert row[1] == share  # with two seats the share of the win is that of the pairings
    assert Path(line_of(first, "trials").partition(",")[0]).exists()
    assert Path(line_of(first, "manifest")).exists()


def test_ranges_opponent_and_objective_reach_the_tuning(kibitz):
    words = ("--tune", "threats=0:0.5", "--tune", "rival_threats", "--opponent", "random")
    code, out, err = kibitz(*TYPED, *words, "--for", "margin", "--out", "run")
    assert (code, err) == (0, "")
    manifest = json.loads(Path("run/manifest.json").read_text())
    first, second = manifest["tuned"]
    assert (first["name"], first["low"], first["high"]) == ("threats", 0, 0.5)
    assert second["name"] == "rival_threats"
    assert (manifest["objective"], manifest["opponent"]["label"]) == ("margin", "random")
    assert line_of(out, "opponent") == "random"
    for pair in ("tuned against given", "tuned against opponent", "given against opponent"):
        assert line_of(out, pair)


def say(monkeypatch, share, margin):
    """Let every match-up come out with these values and intervals."""
    found = {
        f"{measure}{end}": value
        for measure, values in (("share", share), ("margin", margin))
        for end, value in zip(("_low", "", "_high"), values, strict=True)
    }
    monkeypatch.setattr(tuning, "measures", lambda *_: found)


@pytest.mark.parametrize(
    ("share", "verdict"),
    [
        ((0.51, 0.55, 0.6), "a gain: 50 % lies below the interval"),
        ((0.4, 0.45, 0.49), "no gain, but a loss: 50 % lies above the interval; keep the agent as"),
        ((0.45, 0.52, 0.59), "no gain is shown: 50 % lies within the interval; keep the agent as"),
        ((0.41, 0.48, 0.55), "no gain is shown: 50 % lies within the interval; keep the agent as"),
    ],
)
def test_it_says_plainly_whether_there_is_a_gain(kibitz, monkeypatch, share, verdict):
    say(monkeypatch, share, (0.5, 1.0, 1.5))
    _, out, _ = kibitz(*TYPED)
    assert f"\n\n{verdict}" in out.replace("try\nmore", "try more")


def test_who_is_tuned_for_the_margin_is_judged_by_it(kibitz, monkeypatch):
    say(monkeypatch, (0.51, 0.55, 0.6), (-0.5, 1.0, 2.5))
    _, out, _ = kibitz(*TYPED, "--for", "margin")
    assert "\n\nno gain is shown: a margin of 0 lies within the interval" in out


def test_it_says_when_the_trials_told_nothing(kibitz):
    code, out, _ = kibitz(*TYPED, "--set", "max_turns=1")
    assert code == 0
    assert "no gain is shown" in out
    assert "warning: all trials did equally well" in out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("treelings greedy --tune cards", None),
        ("treelings greedy --tune cards=1", "--tune cards=1 is not accepted; accepted: --tune NA"),
        ("treelings greedy --tune =1:2", "--tune =1:2 is not accepted"),
        ("treelings greedy --tune cards=1:", "--tune cards=1: is not accepted"),
        ("treelings greedy --tune cards=2:1", "cards=2:1 is not a range"),
        ("treelings greedy --tune cards=0:x", "cards=x is not accepted; accepted: numbers"),
        ("treelings greedy --tune cards --tune cards=0:1", "cards is given twice"),
        ("treelings greedy --tune card=0:1", "'card'; did you mean cards"),
        ("treelings mcts --tune simulations=1:9", "simulations is not tuned, it is a budget"),
        ("treelings greedy --for wins", "unknown objective 'wins'"),
        ("treelings greedy --trials 0", "trials=0 is not accepted"),
        ("treelings greedy --players 3 --blocks 3", "such as 2 or 4"),
        ("treelings random", "random has nothing to tune; accepted: greedy, mcts or default"),
        ("newdale greedy", "alone one beats nobody.*accepted: 2 players and more"),
    ],
)
def test_what_is_typed_wrongly_is_one_line_on_standard_error(kibitz, words, message):
    more = ("--trials", 1, "--blocks", 1, "--confirm-blocks", 1) if message is None else ()
    code, out, err = kibitz("tune", *words.split(), *more)
    if message is None:
        assert code == 0
        return
    assert (code, out) == (2, "")
    assert re.fullmatch(r"error: [^\n]+\n", err)
    assert re.search(message, err)
    assert not list(Path().iterdir())


def test_help_names_every_option(kibitz):
    code, out, _ = kibitz("tune", "--help", columns=100)
    assert code == 0
    for option in (
        *("opponent", "tune", "for", "trials", "blocks", "confirm-blocks"),
        *("players", "seed", "jobs", "out", "set", "table"),
    ):
        assert f"--{option}" in out
