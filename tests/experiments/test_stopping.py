"""Tournaments that end early: by intervals that may be looked at at any time."""

import numpy as np
import pandas as pd
import pytest

import experiments as ex
from experiments.stopping import Sequence, Watch, num_line_ups, shares_by_round, verdict
from experiments.tournaments import Tournament


def followed(values, error=0.05):
    sequence = Sequence(error)
    for value in values:
        sequence.add(value)
    return sequence


def verdict_after(draw, rounds):
    """The verdict and its round for somebody who looks after every round."""
    sequence = Sequence(0.05)
    for number in range(1, rounds + 1):
        sequence.add(draw())
        if (found := verdict(sequence)) != "open":
            return found, number
    return "open", rounds


# Intervals at any time ----------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["wins", "halves", "shares"])
def test_with_no_difference_and_a_look_after_every_round_few_of_a_thousand_go_wrong(kind):
    rng = np.random.default_rng(1)
    draws = {
        "wins": lambda: float(rng.random() < 0.5),
        "halves": lambda: rng.integers(3) / 2,
        "shares": lambda: rng.beta(4, 4),
    }
    wrong = sum(verdict_after(draws[kind], 150)[0] in ("before", "behind") for _ in range(1000))
    assert wrong <= 50


def test_plain_intervals_go_wrong_far_more_often_when_looked_at_after_every_round():
    # What the sequences are for; and the test above could fail.
    rng = np.random.default_rng(2)
    wrong = 0
    for _ in range(200):
        wins = (rng.random(150) < 0.5).astype(float)
        number = np.arange(1, 151)
        means = wins.cumsum() / number
        half = 1.96 * np.sqrt(means * (1 - means) / number)
        wrong += bool((np.abs(means - 0.5) > half)[10:].any())
    assert wrong > 50


@pytest.mark.parametrize("mean", [0.02, 0.3, 0.5, 0.95])
def test_the_true_mean_is_seldom_ever_left_out(mean):
    rng = np.random.default_rng(3)
    left_out = 0
    for _ in range(300):
        sequence = followed((rng.random(200) < mean).astype(float))
        left_out += not sequence.low <= mean <= sequence.high
    assert left_out <= 15


def test_the_interval_only_ever_narrows_and_holds_the_mean():
    rng = np.random.default_rng(4)
    sequence = Sequence(0.05)
    low, high = 0.0, 1.0
    values = rng.beta(2, 3, 400)
    for value in values:
        sequence.add(value)
        assert low <= sequence.low <= sequence.high <= high
        low, high = sequence.low, sequence.high
    assert sequence.mean == pytest.approx(values.mean())
    assert low < sequence.mean < high
    assert high - low < 0.15


def test_a_difference_is_found():
    rng = np.random.default_rng(5)
    found = [verdict_after(lambda: float(rng.random() < 0.65), 2000) for _ in range(50)]
    assert {name for name, _ in found} == {"before"}
    assert np.mean([number for _, number in found]) < 400


@pytest.mark.parametrize(
    ("value", "expected"), [(1.0, "before"), (0.0, "behind"), (0.5, "even"), (0.51, "even")]
)
def test_results_that_are_all_the_same_end(value, expected):
    assert verdict_after(lambda: value, 1000)[0] == expected


def test_the_hedged_capital_is_that_of_the_paper():
    # Waudby-Smith and Ramdas 2024, (23) to (26), written down anew for one mean.
    rng = np.random.default_rng(6)
    values, error, mean = rng.beta(2, 2, 90), 0.05, 0.3
    more = less = 1.0
    capital = []
    for t, value in enumerate(values, 1):
        before = values[: t - 1]
        guesses = [(0.5 + before[:i].sum()) / (i + 1) for i in range(1, t)]
        variance = (0.25 + sum((before[i] - guesses[i]) ** 2 for i in range(t - 1))) / t
        bet = np.sqrt(2 * np.log(2 / error) / (variance * t * np.log(t + 1)))
        more *= 1 + min(bet, 0.5 / mean) * (value - mean)
        less *= 1 - min(bet, 0.5 / (1 - mean)) * (value - mean)
        capital.append(max(more, less) / 2)
    rejected_at = next(t for t, c in enumerate(capital, 1) if c >= 1 / error)
    sequence = Sequence(error)
    for number, value in enumerate(values, 1):
        sequence.add(value)
        # A grid step is added to each side.
        assert (sequence.low > mean - 0.001) == (number >= rejected_at)


# Tournaments --------------------------------------------------------------------------------------


def test_a_tournament_ends_when_all_is_decided():
    agents = ["random", "greedy", "mcts:simulations=10"]
    results = ex.tournament("treelings", agents, players=2, blocks=3000, seed=1, until="decided")
    assert 15 <= results.block.nunique() < 600
    assert results.block.nunique() % 3 == 0
    found = ex.anytime(results)
    assert found.verdict.tolist() == ["behind", "behind", "before"]
    assert (found.anytime_low <= found.share).all()
    assert (found.share <= found.anytime_high).all()
    assert (found.anytime_high - found.anytime_low > found.plain_high - found.plain_low).all()
    # One round less, and something was open.
    shorter = results[results.block < results.block.max() - 2]
    assert "open" in ex.anytime(shorter).verdict.tolist()


@pytest.mark.parametrize("how", [{"until": "decided"}, {"precision": 0.06}])
def test_where_it_ends_does_not_depend_on_the_workers(how, recwarn):
    one, two = (
        ex.tournament(
            "treelings", ["random", "greedy"], blocks=2000, seed=3, n_jobs=n_jobs, **how
        ).drop(columns="seconds")
        for n_jobs in (1, 2)
    )
    assert one.equals(two)
    assert one.block.nunique() < 2000
    whole = ex.tournament("treelings", ["random", "greedy"], blocks=2000, seed=3)
    assert one.equals(whole.iloc[: len(one)].drop(columns="seconds"))
    assert not recwarn.list  # pieces that were played in vain are nothing to worry about


def test_a_precision_is_reached_and_not_before():
    how = {"players": 2, "blocks": 2000, "seed": 4, "precision": 0.06}
    results = ex.tournament("treelings", ["random", "greedy"], **how)
    found = ex.anytime(results, of_pairs=False)
    assert found.agent.tolist() == ["random", "greedy"]
    assert ((found.anytime_high - found.anytime_low) / 2 <= 0.06).all()
    shorter = ex.anytime(results[results.block < results.block.max()], of_pairs=False)
    assert ((shorter.anytime_high - shorter.anytime_low) / 2 > 0.06).any()


def test_one_agent_has_nothing_to_decide():
    results = ex.tournament("treelings", ["random"], blocks=100, until="decided")
    assert results.block.nunique() == 1
    assert len(ex.anytime(results)) == 0


def test_what_stays_open_is_played_to_the_end():
    agents = ["greedy", "greedy:cards=0.21"]
    results = ex.tournament("treelings", agents, players=2, blocks=40, until="decided")
    assert results.block.nunique() == 40
    assert ex.anytime(results).verdict.tolist() == ["open"]


def test_every_rule_set_and_number_of_players_is_decided():
    how = {"players": [2, 3], "blocks": 3000, "until": "decided"}
    results = ex.tournament("treelings", ["random", "greedy"], **how)
    found = ex.anytime(results)
    assert found.players.tolist() == [2, 3]
    assert "open" not in found.verdict.tolist()
    assert found.rounds.nunique() == 1
    assert num_line_ups(results) == 3


def test_a_run_that_ended_early_is_read_and_one_that_was_interrupted_goes_on(tmp_path, monkeypatch):
    arguments = ("treelings", ["random", "greedy"])
    how = {"players": 2, "blocks": 500, "seed": 3, "precision": 0.06, "out": tmp_path / "run"}
    calls = []

    def stop(num_matches):
        calls.append(num_matches)
        if len(calls) == 12:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ex.tournament(*arguments, **how, progress=stop)
    results = ex.tournament(*arguments, **how)
    assert results.block.nunique() < 500
    monkeypatch.setattr(Tournament, "play_piece", lambda *_: pytest.fail("played again"))
    assert ex.tournament(*arguments, **how).equals(results)
    # A table that ends elsewhere is not that of the run.
    file = tmp_path / "run" / "results.parquet"
    pd.read_parquet(file).iloc[:-4].to_parquet(file, index=False)
    with pytest.raises(ValueError, match="does not hold the results"):
        ex.tournament(*arguments, **how)


@pytest.mark.parametrize(
    ("how", "words"),
    [
        ({"until": "bored"}, "accepted: decided"),
        ({"until": "decided", "precision": 0.1}, "not both"),
        ({"precision": 0}, "0.001 to 0.5"),
        ({"precision": 0.5}, "0.001 to 0.5"),
        ({"until": "decided", "indifference": 0}, "0.001 to 0.5"),
    ],
)
def test_rules_that_say_no_end_are_refused(how, words):
    with pytest.raises(ValueError, match=words):
        ex.tournament("treelings", ["random", "greedy"], **how)


def test_rounds_hold_the_shares_of_their_blocks():
    results = ex.tournament("treelings", ["random", "greedy"], players=3, blocks=8, seed=1)
    comparison = ("as published", 3, "random", "greedy")
    (shares,) = shares_by_round(results, 2, [comparison]).values()
    assert len(shares) == 4
    for i, share in enumerate(shares):
        of_round = results[results.block // 2 == i]
        (pair,) = ex.who_beats_whom(of_round).query("agent == 'random'").itertuples()
        assert share == pytest.approx(
            sum(
                ex.who_beats_whom(rows).query("agent == 'random'").share.iloc[0]
                * ex.who_beats_whom(rows).query("agent == 'random'").pairings.iloc[0]
                for _, rows in of_round.groupby("block")
            )
            / pair.pairings
        )


def test_a_part_of_the_results_has_the_rounds_of_its_own_line_ups():
    agents = ["random", "greedy", "mcts:simulations=5"]
    results = ex.tournament("treelings", agents, players=[2, 3], blocks=24, seed=1)
    whole = ex.anytime(results)
    for players, rows in results.groupby("players"):
        part = ex.anytime(rows)
        expected = whole[whole.players == players].reset_index(drop=True)
        for name in ("agent", "opponent", "share", "plain_low", "plain_high", "rounds"):
            assert part[name].tolist() == expected[name].tolist(), name
        assert set(part.rounds) == {6}


def test_the_error_is_shared_by_all_comparisons():
    pairs = [("as published", 2, "a", str(i)) for i in range(10)]
    alone, together = Watch(1, pairs[:1]), Watch(1, pairs)
    for watch in (alone, together):
        for sequence in watch.sequences.values():
            for _ in range(9):
                sequence.add(1.0)
    first = pairs[0]
    assert alone.sequences[first].low > together.sequences[first].low
