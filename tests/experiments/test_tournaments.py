"""Tournaments: who meets whom, with which seeds, and a table that depends on nothing else."""

import os
import random
import subprocess
import sys
import textwrap
from collections import Counter

import joblib
import numpy as np
import pandas as pd
import psutil
import pytest

import experiments as ex
import sim
from experiments.tournaments import Tournament

COLUMNS = {
    "game": "category",
    "variant": "category",
    "players": "int8",
    "rules_hash": "category",
    "match": "int32",
    "block": "int32",
    "seating": "int16",
    "seed": "int64",
    "seat": "int8",
    "agent": "category",
    "score": "int32",
    "rank": "int8",
    "utility": "float64",
    "turns": "int32",
    "decisions": "int32",
    "full_trees": "int32",
    "seconds": "float64",
    "end": "category",
    "fingerprint": "int64",
    "note": "str",
}


class Picky:
    """Plays a fixed place of the legal actions; anything that is no place is its answer."""

    def __init__(self, place=0):
        self.place = place

    def choose(self, view, legal, rng):
        return legal[self.place]


class Gambler:
    """Draws from the stream it is given."""

    def choose(self, view, legal, rng):
        return rng.choice(legal)


class Counting:
    """Plays a place that depends on how often this very object has been asked."""

    def __init__(self):
        self.num_asked = 0

    def choose(self, view, legal, rng):
        self.num_asked += 1
        return legal[self.num_asked % len(legal)]


class Meddler:
    """Overwrites all that it is given, then plays as Picky does."""

    def choose(self, view, legal, rng):
        action = int(legal[0])
        legal[:] = -1
        for name in view.dtype.names:
            view[name] = 1
        return action


class GlobalMeddler:
    """Seeds and uses the global generators, then plays as Gambler does."""

    def choose(self, view, legal, rng):
        np.random.seed(1)  # noqa: NPY002
        random.seed(1)
        np.random.random()  # noqa: NPY002
        random.random()
        return rng.choice(legal)


class Answers:
    """Always gives the same answer."""

    def __init__(self, answer):
        self.answer = answer

    def choose(self, view, legal, rng):
        return self.answer


class Raises:
    def choose(self, view, legal, rng):
        raise RuntimeError("lost the rulebook")


class RaisesLate:
    """Plays two decisions and then raises."""

    def __init__(self):
        self.num_asked = 0

    def choose(self, view, legal, rng):
        self.num_asked += 1
        if self.num_asked > 2:
            raise KeyError("third decision")
        return legal[0]


class CannotBeMade:
    def __init__(self):
        raise OSError("no model file")

    def choose(self, view, legal, rng):
        return legal[0]


class CannotStart:
    def start(self, game, player):
        raise ValueError("knows no such game")

    def choose(self, view, legal, rng):
        return legal[0]


class TellsWhere:
    """Fails, and says in which process."""

    def choose(self, view, legal, rng):
        raise RuntimeError(f"process {os.getpid()}")


class Leaves:
    def choose(self, view, legal, rng):
        sys.exit("enough")


class SpeechlessError(Exception):
    def __str__(self):
        raise RuntimeError("has no words")


class RaisesSpeechless:
    def choose(self, view, legal, rng):
        raise SpeechlessError


class RaisesUnprintable:
    def choose(self, view, legal, rng):
        raise RuntimeError("a file name of bytes: \udc80")


class Unspeakable:
    def __repr__(self):
        raise RuntimeError("has no words")


def assert_same(one, other):
    """The same tables, apart from the time that decisions took."""
    pd.testing.assert_frame_equal(one.drop(columns="seconds"), other.drop(columns="seconds"))


def played(results):
    """What happened, whatever the agents are called."""
    names = ["match", "block", "seed", "seat", "score", "rank", "utility", "turns"]
    return results[[*names, "decisions", "fingerprint"]]


@pytest.fixture(scope="module")
def compiled():
    return ex.tournament(
        "treelings", ["random", "greedy", "mcts:simulations=20"], blocks=12, seed=4
    )


@pytest.fixture(scope="module")
def mixed():
    """Three line-ups, two of them with an agent written in Python."""
    return ex.tournament("connect_four", ["random", "greedy", Gambler], blocks=6, seed=4)


def test_an_agent_can_play_itself():
    results = ex.tournament("connect_four", ["random"], blocks=5)
    assert len(results) == 10
    assert results.agent.unique().tolist() == ["random"]
    twice = ex.tournament("connect_four", ["random", "random"], blocks=5)
    assert_same(results, twice)


def test_an_agent_given_twice_fills_two_seats():
    results = ex.tournament("treelings", ["random", "greedy", "random"], players=3, blocks=2)
    first = results[results.match == 0]
    assert first.agent.tolist() == ["random", "greedy", "random"]
    assert results.agent.value_counts().to_dict() == {"random": 12, "greedy": 6}
    assert list(results.agent.cat.categories) == ["random", "greedy"]


# The table ----------------------------------------------------------------------------------------


def test_the_table_has_its_columns_and_types(compiled, mixed):
    for results in (compiled, mixed):
        assert {name: str(kind) for name, kind in results.dtypes.items()} == COLUMNS
        assert list(results.columns) == list(COLUMNS)
        assert not results.isna().any().any()
        assert list(results.end.cat.categories) == ["finished", "capped", "forfeit"]


@pytest.mark.parametrize("players", [2, 3, 5])
def test_there_is_one_row_per_seat_per_match(players):
    results = ex.tournament("treelings", ["random", "greedy"], players=players, blocks=4, seed=2)
    rotations = 2 if players == 2 else players
    assert len(results) == 4 * rotations * players
    assert results.match.tolist() == np.repeat(np.arange(4 * rotations), players).tolist()
    assert results.block.tolist() == np.repeat(np.arange(4), rotations * players).tolist()
    assert results.seat.tolist() == list(range(1, players + 1)) * (4 * rotations)
    assert set(results.game) == {"treelings"}
    assert set(results.rules_hash) == {sim.load("treelings", players=players).rules_hash}


def test_in_each_rotation_the_agents_move_one_seat_on():
    agents = ["random", "greedy", "mcts:simulations=5"]
    results = ex.tournament("treelings", agents, players=3, blocks=2)
    labels = list(results.agent.cat.categories)
    assert labels == ["random", "greedy", "mcts:simulations=5,exploration=0.7"]
    for match, rows in results.groupby("match"):
        assert rows.agent.tolist() == [labels[(seat + match) % 3] for seat in range(3)]


def test_every_line_up_gets_the_same_number_of_blocks(compiled):
    met = compiled.groupby("block").agent.agg(lambda agents: frozenset(agents))
    assert sorted(Counter(met).values()) == [4, 4, 4]


def test_the_utilities_of_every_match_sum_to_one(compiled, mixed):
    capped = ex.tournament("treelings", ["random"], players=5, blocks=30)
    broken = ex.tournament("treelings", [Raises, "random"], players=3, blocks=2)
    for results in (compiled, mixed, capped, broken):
        assert results.groupby("match").utility.sum().to_numpy() == pytest.approx(1)


def test_ranks_agree_with_scores_and_utilities_with_ranks():
    results = ex.tournament("treelings", ["random", "greedy"], players=4, blocks=150, seed=8)
    places = results.groupby("match").score.rank(method="min", ascending=False)
    assert (results["rank"] == places).all()
    winners = results[results["rank"] == 1]
    num_winners = winners.groupby("match").seat.transform("size")
    assert winners.utility.to_numpy() == pytest.approx(1 / num_winners.to_numpy())
    assert (results[results["rank"] > 1].utility == 0).all()
    assert (num_winners > 1).any(), "a sample with shared wins is needed"


def test_seats_of_a_match_share_what_belongs_to_the_match(compiled, mixed):
    for results in (compiled, mixed):
        per_match = results.groupby("match")[["turns", "end", "fingerprint", "block", "seed"]]
        assert (per_match.nunique() == 1).all().all()
        assert (results.seconds >= 0).all()
        assert (results.decisions > 0).all()


def test_connect_four_counts_a_decision_for_every_turn():
    results = ex.tournament("connect_four", ["random", Gambler], blocks=3)
    decisions = results.groupby("match").decisions.sum()
    assert (decisions == results.groupby("match").turns.first()).all()


def test_a_hundred_blocks_of_each_line_up_are_played_when_nothing_is_said():
    assert ex.tournament("connect_four", ["random", "greedy"]).match.nunique() == 200
    plan = Tournament("connect_four", ["random", "greedy", "mcts"])
    assert (plan.blocks, plan.matches) == (300, 600)


def test_matches_and_blocks_say_the_same():
    one = ex.tournament("treelings", ["random", "greedy"], players=3, blocks=4, seed=1)
    other = ex.tournament("treelings", ["random", "greedy"], players=3, matches=12, seed=1)
    assert_same(one, other)


def test_distinct_matches_are_counted():
    all_alike = ex.tournament("connect_four", [Picky], blocks=3)
    assert all_alike.fingerprint.nunique() == 1
    results = ex.tournament("connect_four", ["random"], blocks=50)
    assert results.fingerprint.nunique() == 50


# Seeds --------------------------------------------------------------------------------------------


def test_every_block_has_a_seed_of_its_own_and_all_its_rotations_the_same(compiled):
    assert (compiled.groupby("block").seed.nunique() == 1).all()
    assert compiled.seed.nunique() == compiled.block.nunique()
    assert (compiled.groupby("block").match.nunique() == 2).all()


@pytest.mark.parametrize("agents", [["random", "greedy"], ["random", Gambler]])
def test_more_blocks_add_matches_and_change_none(agents):
    few = ex.tournament("treelings", agents, blocks=3, seed=6)
    many = ex.tournament("treelings", agents, blocks=70, seed=6)
    assert_same(few, many.iloc[: len(few)])


def test_the_rotations_of_a_block_play_the_same_deal(compiled):
    game, agents = sim.load("treelings"), ["random", "greedy", "mcts:simulations=20"]
    deals = {}
    for match, rows in compiled.groupby("match"):
        record = ex.play_again(compiled, match, game, agents)
        assert record.seed == rows.seed.iloc[0]
        deals.setdefault(rows.block.iloc[0], set()).add(next(record.replay()).tobytes())
    assert all(len(of_block) == 1 for of_block in deals.values())
    assert len(set.union(*deals.values())) == len(deals)


@pytest.mark.parametrize("agents", [["random", "mcts:simulations=20"], ["greedy", Gambler]])
def test_the_same_seed_gives_the_same_table_and_another_seed_another(agents):
    once, again, other = (
        ex.tournament("treelings", agents, blocks=4, seed=seed) for seed in (5, 5, 6)
    )
    assert_same(once, again)
    assert not set(once.seed) & set(other.seed)
    assert not set(once.fingerprint) & set(other.fingerprint)


def test_any_64_bit_number_is_a_seed():
    for seed in (-1, -(2**63), 2**64 - 1, np.int64(3), np.uint64(2**64 - 1)):
        results = ex.tournament("connect_four", ["random"], blocks=1, seed=seed)
        assert results.match.nunique() == 1


@pytest.mark.parametrize("agents", [["random", "greedy"], ["random", GlobalMeddler]])
def test_the_global_generators_of_numpy_and_python_play_no_part(agents):
    np.random.seed(0)  # noqa: NPY002
    random.seed(0)
    once = ex.tournament("treelings", agents, blocks=3, seed=5)
    np.random.seed(999)  # noqa: NPY002
    random.seed(999)
    before = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
    assert_same(once, ex.tournament("treelings", agents, blocks=3, seed=5))
    if GlobalMeddler not in agents:
        after = random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002
        assert after == before


def test_what_an_agent_draws_changes_neither_the_deal_nor_the_others_chance():
    """GlobalMeddler and Gambler draw the same from their streams and play the same match."""
    one = ex.tournament("treelings", ["random", Gambler], blocks=3, seed=5)
    other = ex.tournament("treelings", ["random", GlobalMeddler], blocks=3, seed=5)
    pd.testing.assert_frame_equal(played(one), played(other))


# Workers ------------------------------------------------------------------------------------------


def test_the_number_of_threads_changes_nothing(compiled):
    agents = ["random", "greedy", "mcts:simulations=20"]
    for n_jobs in (2, 5, -1):
        again = ex.tournament("treelings", agents, blocks=12, seed=4, n_jobs=n_jobs)
        assert_same(again, compiled)


def test_the_number_of_processes_changes_nothing(mixed):
    again = ex.tournament("connect_four", ["random", "greedy", Gambler], blocks=6, seed=4, n_jobs=2)
    assert_same(again, mixed)


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_agents_in_python_play_in_other_processes(n_jobs):
    results = ex.tournament("connect_four", [TellsWhere, "random"], blocks=2, n_jobs=n_jobs)
    assert results.note.str.startswith("RuntimeError: process").sum() == 4
    assert f"RuntimeError: process {os.getpid()}" not in set(results.note)


def test_what_a_killed_worker_leaves_undone_is_done_by_another_one():
    how = {"blocks": 40, "seed": 8}
    expected = ex.tournament("connect_four", ["random", Gambler], **how)
    killed = []

    def kill_a_worker(num_matches):
        workers = [
            process
            for process in psutil.Process().children()
            if process.status() != psutil.STATUS_ZOMBIE
            and "popen_loky" in " ".join(process.cmdline())
        ]
        if num_matches > 10 and workers and not killed:
            killed.append(workers[0].pid)
            workers[0].kill()

    results = ex.tournament(
        "connect_four", ["random", Gambler], **how, n_jobs=2, progress=kill_a_worker
    )
    assert killed
    assert_same(results, expected)


def test_processes_play_what_threads_play(compiled):
    plan = Tournament("treelings", ["random", "greedy", "mcts:simulations=20"], blocks=12, seed=4)
    parallel = joblib.Parallel(2, backend="loky")
    frames = parallel(joblib.delayed(plan.play_piece)(piece) for piece in plan.pieces())
    assert_same(plan.join(frames), compiled)


def test_a_variant_of_a_game_reaches_the_other_processes():
    game = sim.load("treelings", players=3, market_size=6, refill_timing="start")
    agents = ["random", Gambler, "greedy"]
    one, two = (ex.tournament(game, agents, blocks=4, n_jobs=n_jobs) for n_jobs in (1, 2))
    assert_same(one, two)
    assert set(two.rules_hash) == {game.rules_hash}


@pytest.mark.parametrize(
    "agents",
    [["random", "greedy"], ["random", Gambler], ["random", "greedy", "mcts:simulations=5"]],
    ids=["compiled", "in Python", "several line-ups"],
)
def test_the_order_of_execution_changes_nothing(agents):
    plan = Tournament("treelings", agents, blocks=9, seed=3)
    expected = ex.tournament("treelings", agents, blocks=9, seed=3)
    pieces = [range(7, 9), range(0, 1), range(3, 7), range(1, 3)]
    assert_same(plan.join([plan.play_piece(piece) for piece in pieces]), expected)


@pytest.mark.parametrize("num_blocks", [1, 5, 63, 64, 65, 1000, 300_000])
def test_the_pieces_hold_every_block_once(num_blocks):
    plan = Tournament("connect_four", ["random"], blocks=num_blocks)
    blocks = [block for piece in plan.pieces() for block in piece]
    assert blocks == list(range(num_blocks))
    done = [block for block in range(num_blocks) if block % 7 in (2, 3)]
    left = [block for piece in plan.pieces(done) for block in piece]
    assert left == [block for block in range(num_blocks) if block % 7 not in (2, 3)]


def test_a_match_is_the_same_compiled_and_move_by_move():
    """A third agent, in Python, makes the others play move by move."""
    alone = ex.tournament("connect_four", ["random", "greedy"], blocks=3, seed=4)
    for agents in (["random", "greedy", Picky], ["random", "greedy", Gambler]):
        together = ex.tournament("connect_four", agents, blocks=9, seed=4)
        of_both = together[together.block == 0]
        assert of_both.fingerprint.tolist() == alone[alone.block == 0].fingerprint.tolist()
        assert of_both.decisions.tolist() == alone[alone.block == 0].decisions.tolist()


def test_progress_counts_matches_from_none_to_all():
    for agents in (["random", "greedy"], ["random", Picky]):
        counts = []
        ex.tournament("connect_four", agents, blocks=10, progress=counts.append)
        assert counts[0] == 0
        assert counts[-1] == 20
        assert counts == sorted(counts)


# Capped matches -----------------------------------------------------------------------------------


@pytest.mark.parametrize("agents", [["random", "greedy", "random"], ["random", Picky, "greedy"]])
def test_capped_matches_are_reported_shared_and_kept(agents):
    game = sim.load("treelings", players=3, max_turns=3)
    results = ex.tournament(game, agents, blocks=3)
    assert len(results) == 27
    assert set(results.end) == {"capped"}
    assert set(results.turns) == {3}
    assert results.utility.to_numpy() == pytest.approx(1 / 3)
    assert ex.win_shares(results).matches.sum() >= 18
    assert ex.seat_effect(results).matches.tolist() == [9, 9, 9]


# Agents written in Python -------------------------------------------------------------------------


BOT_FILE = """
class Picky:
    def choose(self, view, legal, rng):
        return legal[0]
"""


def test_a_class_an_object_and_a_file_name_the_same_agent(tmp_path):
    file = tmp_path / "bots.py"
    file.write_text(BOT_FILE)
    game = sim.load("treelings", players=3)
    agents = ["greedy", "random"]
    of_class = ex.tournament(game, [Picky, *agents], blocks=3)
    of_object = ex.tournament(game, [Picky(), *agents], blocks=3)
    of_file = ex.tournament(game, [f"{file}:Picky", *agents], blocks=3)
    assert_same(of_class, of_object)
    pd.testing.assert_frame_equal(played(of_class), played(of_file))
    assert of_file.agent.iloc[0] == f"{file}:Picky"
    assert set(of_class.end) == {"finished"}


def test_two_objects_of_one_class_are_two_agents_or_refused():
    """Whatever they are called, the second one must not be replaced by the first."""
    try:
        results = ex.tournament("connect_four", [Picky(0), Picky("nowhere")], blocks=2)
    except ValueError:
        return
    assert set(results.end) == {"forfeit"}


def test_an_agent_is_made_afresh_for_every_seat_of_every_match():
    """Counting plays by how often it was asked; what is left over would change later matches."""
    many = ex.tournament("connect_four", [Counting(), "random"], blocks=4, seed=2)
    plan = Tournament("connect_four", [Counting(), "random"], blocks=4, seed=2)
    backwards = [plan.play_piece(range(block, block + 1)) for block in (3, 2, 1, 0)]
    assert_same(plan.join(backwards), many)
    itself = ex.tournament("connect_four", [Counting()], blocks=2)
    assert itself.fingerprint.nunique() == 1


def test_an_object_that_plays_is_left_as_it_was():
    agent = Counting()
    ex.tournament("connect_four", [agent, "random"], blocks=1)
    assert agent.num_asked == 0


def test_overwriting_the_view_or_the_legal_actions_changes_nothing():
    honest = ex.tournament("treelings", [Picky, "greedy"], players=2, blocks=4, seed=9)
    meddling = ex.tournament("treelings", [Meddler, "greedy"], players=2, blocks=4, seed=9)
    pd.testing.assert_frame_equal(played(honest), played(meddling))
    assert set(meddling.end) == {"finished"}


@pytest.mark.parametrize(
    ("agent", "reason"),
    [
        (Raises, "RuntimeError: lost the rulebook"),
        (RaisesLate, "KeyError: 'third decision'"),
        (CannotBeMade, "OSError: no model file"),
        (CannotStart, "ValueError: knows no such game"),
        (Leaves, "SystemExit: enough"),
        (Answers(None), "None"),
        (Answers("a"), "'a'"),
        (Answers(1.0), "1.0"),
        (Answers(1.5), "1.5"),
        (Answers(float("nan")), "nan"),
        (Answers(-1), "-1"),
        (Answers(True), "True"),
        (Answers(np.True_), "True"),
        (Answers(10**9), "1000000000"),
        (Answers(10**30), "1" + "0" * 30),
        (Answers([0]), "[0]"),
        (Answers(np.arange(3)), "array"),
        (Answers(Unspeakable()), ""),
        (RaisesSpeechless, "SpeechlessError"),
        (RaisesUnprintable, "a file name of bytes"),
    ],
    ids=lambda value: getattr(value, "__name__", None) or type(value).__name__,
)
def test_an_agent_that_fails_forfeits_and_the_tournament_goes_on(agent, reason, tmp_path):
    results = ex.tournament(
        "treelings", ["random", agent, "greedy"], players=3, blocks=2, out=tmp_path / "run"
    )
    label = getattr(agent, "__name__", type(agent).__name__)
    assert results.match.nunique() == 6
    assert set(results.end) == {"forfeit"}
    failed = results[results.agent == label]
    assert len(failed) == 6
    assert (failed.utility == 0).all()
    assert (failed["rank"] == 3).all()
    assert (failed.note != "").all()
    assert failed.note.str.contains(reason, regex=False).all()
    others = results[results.agent != label]
    assert (others.utility == 0.5).all()
    assert (others["rank"] == 1).all()
    assert (others.note == "").all()


def test_only_the_matches_of_the_failing_agent_are_forfeited():
    results = ex.tournament("connect_four", ["random", Raises, "greedy"], blocks=9)
    with_it = results.groupby("match").agent.transform(lambda agents: "Raises" in set(agents))
    assert (results.end[with_it] == "forfeit").all()
    assert (results.end[~with_it] == "finished").all()
    assert with_it.sum() == 2 * (len(results) // 3)


def test_a_forfeit_in_another_process_is_the_same_forfeit():
    one, two = (
        ex.tournament("connect_four", ["random", RaisesLate], blocks=4, n_jobs=n_jobs)
        for n_jobs in (1, 2)
    )
    assert_same(one, two)
    assert set(two.end) == {"forfeit"}


def test_a_relative_file_is_found_by_workers_that_started_in_another_folder(tmp_path, monkeypatch):
    ex.tournament("connect_four", ["random", Picky], blocks=2, n_jobs=2)
    (tmp_path / "moved.py").write_text(BOT_FILE)
    monkeypatch.chdir(tmp_path)
    agents = ["moved.py:Picky", "random"]
    one, two = (ex.tournament("connect_four", agents, blocks=2, n_jobs=n) for n in (1, 2))
    assert set(two.note) == {""}
    assert_same(one, two)


def test_an_edited_file_plays_as_it_now_stands(tmp_path):
    file = tmp_path / "edited.py"
    file.write_text(BOT_FILE)
    before = ex.tournament("connect_four", [f"{file}:Picky"], blocks=1)
    file.write_text(BOT_FILE.replace("legal[0]", "legal[-1]"))
    after = ex.tournament("connect_four", [f"{file}:Picky"], blocks=1)
    assert before.fingerprint[0] != after.fingerprint[0]


def run_script(script, folder, **environment):
    file = folder / "script.py"
    file.write_text(textwrap.dedent(script))
    return subprocess.run(
        [sys.executable, file],
        env=os.environ | environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )


def test_a_class_of_a_notebook_plays_in_two_processes(tmp_path):
    done = run_script(
        """
        import experiments as ex

        class Mine:
            def choose(self, view, legal, rng):
                return rng.choice(legal)

        if __name__ == "__main__":
            one, two = (
                ex.tournament("connect_four", [Mine, "random"], blocks=4, n_jobs=n).drop(
                    columns="seconds"
                )
                for n in (1, 2)
            )
            assert one.equals(two)
            assert set(two.end) == {"finished"}, two.note.unique()
            print("the same")
        """,
        tmp_path,
    )
    assert done.stdout == "the same\n", done.stderr


def test_a_game_of_one_s_own_plays_in_two_processes(tmp_path):
    """As plain Python, so that nothing is compiled for it."""
    (tmp_path / "own_game.py").write_text(
        textwrap.dedent(
            """
            import dataclasses

            from sim.games import connect_four
            from sim.protocol import register
            from sim.records import rules_record, state_record, PUBLIC
            import numpy as np

            STATE = state_record(
                "own_game",
                ("winner", np.int8, PUBLIC),
                ("height", np.int8, 7, PUBLIC),
                ("stones", np.int64, 2, PUBLIC),
            )
            GAME = register(
                dataclasses.replace(
                    connect_four.GAME,
                    name="own_game",
                    home=__name__,
                    state=STATE,
                    rules=rules_record("own_game"),
                )
            )
            """
        )
    )
    done = run_script(
        """
        import experiments as ex
        import own_game

        class Mine:
            def choose(self, view, legal, rng):
                return rng.choice(legal)

        if __name__ == "__main__":
            one, two = (
                ex.tournament("own_game", [Mine, "random"], blocks=4, n_jobs=n).drop(
                    columns="seconds"
                )
                for n in (1, 2)
            )
            assert one.equals(two)
            print("the same")
        """,
        tmp_path,
        NUMBA_DISABLE_JIT="1",
    )
    assert done.stdout == "the same\n", done.stderr


# Playing a match again ----------------------------------------------------------------------------


def test_a_match_can_be_played_again(compiled, mixed):
    tables = [
        (compiled, sim.load("treelings"), ["random", "greedy", "mcts:simulations=20"]),
        (mixed, sim.load("connect_four"), ["random", "greedy", Gambler]),
    ]
    for results, game, agents in tables:
        for match, rows in results.groupby("match"):
            record = ex.play_again(results, match, game, agents)
            assert record.scores == tuple(rows.score)
            assert record.ranks == tuple(rows["rank"])
            assert record.end == "finished"
            final = list(record.replay())[-1]
            assert final.turn == rows.turns.iloc[0]


def test_a_match_of_an_agent_against_itself_can_be_played_again():
    game = sim.load("treelings", players=3)
    results = ex.tournament(game, ["random", "greedy", "random"], blocks=2)
    for match, rows in results.groupby("match"):
        record = ex.play_again(results, match, game, ["random", "greedy"])
        assert record.scores == tuple(rows.score)


def test_a_forfeited_match_can_be_played_again():
    results = ex.tournament("connect_four", ["random", RaisesLate], blocks=1)
    for match in (0, 1):
        record = ex.play_again(results, match, sim.load("connect_four"), ["random", RaisesLate])
        assert record.end == "forfeit"
        assert len(record.actions) in (4, 5)


def test_a_match_can_be_played_again_from_the_rows_of_some_matches():
    agents = ["random", "greedy"]
    results = ex.tournament("treelings", agents, blocks=3)
    rows = results[results.match == 3]
    record = ex.play_again(rows, 3, sim.load("treelings"), agents)
    assert record.scores == tuple(rows.score)


def test_playing_again_refuses_what_does_not_fit(compiled):
    game, agents = sim.load("treelings"), ["random", "greedy", "mcts:simulations=20"]
    with pytest.raises(ValueError, match="no match 99; accepted: 0 to 23"):
        ex.play_again(compiled, 99, game, agents)
    with pytest.raises(ValueError, match="played by rules"):
        ex.play_again(compiled, 0, game.variant(market_size=6), agents)
    with pytest.raises(ValueError, match="unknown agent 'greedy'.*known: random"):
        ex.play_again(compiled, 0, game, ["random"])


def test_an_agent_that_plays_another_way_now_is_found_out():
    results = ex.tournament("connect_four", [Picky(0), "random"], blocks=1)
    with pytest.raises(ValueError, match="match 0 goes another way"):
        ex.play_again(results, 0, sim.load("connect_four"), [Picky(-1), "random"])


# What is not accepted -----------------------------------------------------------------------------

FINE = {"game": "treelings", "agents": ["random", "greedy"], "blocks": 2}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"game": "treeling"}, "unknown game 'treeling'; did you mean treelings"),
        ({"game": "chess"}, "unknown game 'chess'.*known: .*connect_four, .*treelings"),
        ({"game": None}, "game.*None"),
        ({"players": 6}, "not played by 6 players; accepted: 2 to 5"),
        ({"players": 1}, "not played by 1 players; accepted: 2 to 5"),
        ({"players": True}, "not played by True players"),
        ({"players": "3"}, "not played by '3' players"),
        ({"game": "connect_four", "players": 3}, "not played by 3 players; accepted: 2"),
        ({"agents": ["random", "mtcs"]}, "unknown agent 'mtcs'; did you mean mcts.*greedy, mcts"),
        ({"agents": ["random", ""]}, "unknown agent ''.*known: greedy, mcts, random"),
        (
            {"agents": ["mcts:simulation=5"]},
            "unknown parameter of mcts 'simulation'; did you mean simulations",
        ),
        ({"agents": ["random:seed=1"]}, "unknown parameter of random 'seed'"),
        ({"agents": ["mcts:simulations=0"]}, "simulations=0 is not accepted; accepted: .*1 to"),
        ({"agents": ["mcts:simulations=ten"]}, "simulations=ten is not accepted"),
        ({"agents": ["nowhere.py:Bot"]}, "no file 'nowhere.py'"),
        ({"agents": ["no.such.module:Bot"]}, "no.such.module.*cannot be imported"),
        ({"agents": "random"}, "a list of agents is needed, got 'random'"),
        ({"agents": 3}, "a list of agents is needed, got 3"),
        ({"agents": []}, "no agents; accepted: one or more"),
        ({"agents": ["random", None]}, "None is not an agent; accepted"),
        ({"agents": ["random", str]}, "str.*is not an agent; accepted"),
        ({"agents": ["random", "greedy", "random"]}, "given twice: random, greedy, random"),
        ({"blocks": 0}, "blocks=0 is not accepted; accepted: 1 and more"),
        ({"blocks": -3}, "blocks=-3 is not accepted"),
        ({"blocks": True}, "blocks=True is not accepted"),
        ({"blocks": 2.0}, "blocks=2.0 is not accepted"),
        ({"blocks": "2"}, "blocks='2' is not accepted"),
        ({"blocks": None, "matches": 0}, "matches=0 is not accepted; accepted: 1 and more"),
        ({"blocks": None, "matches": -2}, "matches=-2 is not accepted"),
        ({"blocks": None, "matches": False}, "matches=False is not accepted"),
        ({"blocks": None, "matches": 10.0}, "matches=10.0 is not accepted"),
        ({"blocks": None, "matches": 7}, "matches=7 .*multiple of 2, such as 6 or 8"),
        ({"blocks": None, "matches": 1}, "matches=1 .*multiple of 2, such as 2$"),
        ({"matches": 4}, "blocks or matches, not both"),
        ({"agents": ["random", "greedy", "mcts"], "blocks": 100}, "such as 99 or 102"),
        ({"n_jobs": 0}, "n_jobs=0 is not accepted; accepted: 1 and more, or -1"),
        ({"n_jobs": 1.5}, "n_jobs=1.5 is not accepted"),
        ({"n_jobs": True}, "n_jobs=True is not accepted"),
        ({"seed": 1.5}, "seed=1.5 is not accepted"),
        ({"seed": True}, "seed=True is not accepted"),
        ({"seed": "1"}, "seed='1' is not accepted"),
        ({"seed": 2**64}, "seed=18446744073709551616 is not accepted"),
    ],
    ids=str,
)
def test_what_is_not_accepted_is_refused_with_what_is(change, message):
    arguments = {**FINE, **change}
    with pytest.raises((ValueError, TypeError), match=message):
        ex.tournament(arguments.pop("game"), arguments.pop("agents"), **arguments)


def test_what_is_not_accepted_leaves_no_folder(tmp_path):
    for change in ({"blocks": 0}, {"n_jobs": 0}, {"agents": ["mtcs"]}):
        arguments = {**FINE, **change, "out": tmp_path / "run"}
        with pytest.raises(ValueError, match="accept|unknown"):
            ex.tournament(arguments.pop("game"), arguments.pop("agents"), **arguments)
        assert list(tmp_path.iterdir()) == []


def test_one_line_up_is_not_called_several():
    with pytest.raises(ValueError, match="multiple of 2") as caught:
        ex.tournament("treelings", ["random", "greedy"], matches=7)
    assert "1 line-ups" not in str(caught.value)


def test_a_file_without_the_class_names_those_it_has(tmp_path):
    file = tmp_path / "bots.py"
    file.write_text(BOT_FILE)
    with pytest.raises(ValueError, match="unknown agent in .*'Piky'; did you mean Picky"):
        ex.tournament("connect_four", [f"{file}:Piky", "random"], blocks=1)
    file = tmp_path / "broken.py"
    file.write_text("import nothing_of_the_kind")
    with pytest.raises(ValueError, match="broken.py cannot be imported.*nothing_of_the_kind"):
        ex.tournament("connect_four", [f"{file}:Bot", "random"], blocks=1)
