"""The folder of a run: it holds one tournament, whole, and goes on where it was stopped."""

import errno
import json
import os
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import experiments as ex
import sim
from experiments import store
from experiments.tournaments import Tournament

AGENTS = ["random", "greedy", "mcts:simulations=5"]


class Gambler:
    def choose(self, view, legal, rng):
        return rng.choice(legal)


class Fumbler:
    """Raises now and then."""

    def choose(self, view, legal, rng):
        if rng.random() < 0.02:
            raise RuntimeError("dropped the cards")
        return rng.choice(legal)


class Killed(Exception):
    """Stands for whatever ends a process."""


def assert_same(one, other):
    pd.testing.assert_frame_equal(one.drop(columns="seconds"), other.drop(columns="seconds"))


def play(out=None, *, agents=AGENTS, blocks=90, seed=3, game="connect_four", **more):
    return ex.tournament(game, agents, blocks=blocks, seed=seed, out=out, **more)


def stop_after(num_matches):
    """A progress callback that stops the run once so many matches are finished."""

    def progress(finished):
        if finished >= num_matches:
            raise Killed

    return progress


def interrupted(out, num_matches, **more):
    with pytest.raises(Killed):
        play(out, progress=stop_after(num_matches), **more)


def files_below(folder):
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*"))


def fail_to_play(*_):
    pytest.fail("a block is played again")


# The manifest -------------------------------------------------------------------------------------


def test_the_manifest_says_all_that_is_needed_to_play_again(tmp_path):
    game = sim.load("treelings", players=3, market_size=6, winner_tie="later_seat")
    agents = ["random", "greedy:cards=0.5", "mcts:simulations=5"]
    play(tmp_path / "run", game=game, agents=agents, blocks=2, seed=-7)
    manifest = store.read_manifest(tmp_path / "run")
    assert manifest["game"] == "treelings"
    (rules,) = manifest["rule_sets"]
    assert rules["players"] == 3
    assert rules["options"] == dict(game.options)
    assert rules["options"]["market_size"] == 6
    assert rules["options"]["winner_tie"] == "later_seat"
    assert rules["components"] == {}
    assert rules["rules_hash"] == game.rules_hash
    seatings = [[0, 1, 2], [1, 2, 0], [2, 0, 1]]
    assert manifest["line_ups"] == [{"rule_set": 0, "seatings": seatings}]
    assert manifest["blocks"] == 2
    assert manifest["matches"] == 6
    assert manifest["seed"] == -7
    assert {"python", "kibitz", "numpy", "numba", "pandas"} <= set(manifest["versions"])
    assert all(manifest["versions"].values())
    assert set(manifest["machine"]) == {"system", "processor", "cores"}
    assert manifest["machine"]["cores"] == os.cpu_count()
    assert pd.Timestamp(manifest["started"]).tzinfo is not None


def test_the_manifest_holds_every_effective_parameter_of_every_agent():
    plan = Tournament("connect_four", ["random", "greedy:threats=0.5", "mcts"], blocks=3)
    agents = {agent["label"]: agent["parameters"] for agent in plan.manifest()["agents"]}
    assert agents == {
        "random": {},
        "greedy:threats=0.5": {
            "score": 1.0,
            "rival_wins_next": -0.5,
            "threats": 0.5,
            "rival_threats": -0.01,
        },
        "mcts:simulations=1000,exploration=0.7": {"simulations": 1000, "exploration": 0.7},
    }


def test_a_part_with_a_single_changed_byte_is_played_again(tmp_path):
    whole = play(tmp_path / "whole")
    interrupted(tmp_path / "run", 20)
    part = next((tmp_path / "run" / "parts").iterdir())
    content = bytearray(part.read_bytes())
    content[len(content) // 3] ^= 1
    part.write_bytes(content)
    with pytest.warns(UserWarning, match="is damaged, its blocks are played again"):
        assert_same(play(tmp_path / "run"), whole)


def test_a_full_disk_stops_the_run_and_costs_no_more_than_the_last_part(tmp_path, monkeypatch):
    whole = play(tmp_path / "whole")
    write, num_written = Path.write_bytes, []

    def write_until_full(file, content):
        num_written.append(file)
        if len(num_written) > 5:
            write(file, content[: len(content) // 2])
            raise OSError(errno.ENOSPC, "No space left on device")
        return write(file, content)

    monkeypatch.setattr(Path, "write_bytes", write_until_full)
    with pytest.raises(OSError, match="No space left on device"):
        play(tmp_path / "run")
    monkeypatch.undo()
    assert len(list((tmp_path / "run" / "parts").iterdir())) == 5, "half a part is no part"
    calls = []
    assert_same(play(tmp_path / "run", progress=calls.append), whole)
    assert calls[0] > 0


def test_the_manifest_alone_is_enough_to_get_the_same_table(tmp_path):
    game = sim.load("treelings", players=2, cards_dealt=2)
    components = game.components["guilds"]
    components.loc[0, "count"] += 2
    game = game.variant(guilds=components)
    table = play(tmp_path / "run", game=game, agents=["random", "greedy:cards=1"], blocks=3)
    manifest = json.loads((tmp_path / "run" / "manifest.json").read_text(encoding="utf-8"))
    (rules,) = manifest["rule_sets"]
    again = sim.game.restore(
        manifest["game"], rules["players"], rules["options"], rules["components"]
    )
    assert again.rules_hash == rules["rules_hash"]
    labels = [agent["label"] for agent in manifest["agents"]]
    same = ex.tournament(again, labels, blocks=manifest["blocks"], seed=manifest["seed"])
    assert_same(same, table)


# One folder, one tournament -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        ({"seed": 4}, "seed there 3, here 4"),
        ({"blocks": 93}, "blocks there 90, here 93"),
        ({"agents": ["random", "greedy", "mcts:simulations=6"]}, "agents"),
        ({"agents": ["random", "mcts:simulations=5", "greedy"]}, "agents"),
        ({"game": "treelings"}, 'game.*there "connect_four", here "treelings"'),
        (
            {"game": sim.load("connect_four", max_turns=50)},
            "rule_sets 1 options max_turns there 100, here 50",
        ),
    ],
    ids=lambda value: str(value),
)
@pytest.mark.parametrize("finished", [True, False])
def test_another_tournament_is_refused_and_the_difference_named(
    tmp_path, change, difference, finished
):
    folder = tmp_path / "run"
    if finished:
        play(folder)
    else:
        interrupted(folder, 20)
    before = {name: (folder / name).stat().st_mtime_ns for name in files_below(folder)}
    with pytest.raises(ValueError, match=f"run holds the results of another.*{difference}"):
        play(folder, **change)
    after = {name: (folder / name).stat().st_mtime_ns for name in files_below(folder)}
    assert after == before


def test_other_components_are_another_tournament(tmp_path):
    play(tmp_path / "run", game="treelings", blocks=3)
    components = sim.load("treelings").components["guilds"]
    components.loc[0, "count"] += 1
    variant = sim.load("treelings", guilds=components)
    with pytest.raises(ValueError, match="different: rule_sets.*there {}, here"):
        play(tmp_path / "run", game=variant, blocks=3)


def test_an_edited_agent_is_another_tournament(tmp_path):
    """The results of yesterday's file must not be told for those of today's."""
    file = tmp_path / "bots.py"
    bot = "class Bot:\n    def choose(self, view, legal, rng):\n        return legal[{}]\n"
    file.write_text(bot.format(0))
    play(tmp_path / "run", agents=["random", f"{file}:Bot"], blocks=1)
    file.write_text(bot.format(-1))
    with pytest.raises(ValueError, match="another tournament.*agents"):
        play(tmp_path / "run", agents=["random", f"{file}:Bot"], blocks=1)


def test_a_folder_with_other_files_is_refused_and_left_alone(tmp_path):
    (tmp_path / "thesis.txt").write_text("years of work")
    with pytest.raises(ValueError, match="holds other files and no tournament"):
        play(tmp_path)
    assert files_below(tmp_path) == ["thesis.txt"]
    assert (tmp_path / "thesis.txt").read_text() == "years of work"


def test_a_file_is_no_folder(tmp_path):
    file = tmp_path / "run"
    file.write_text("a file")
    with pytest.raises(ValueError, match="run is a file; a folder is needed"):
        play(file)
    assert file.read_text() == "a file"


def test_a_folder_below_a_file_is_refused_by_name(tmp_path):
    (tmp_path / "file").write_text("a file")
    with pytest.raises(ValueError, match="file"):
        play(tmp_path / "file" / "run")


def test_missing_folders_are_made_and_an_empty_one_is_used(tmp_path):
    (tmp_path / "empty").mkdir()
    for folder in (tmp_path / "empty", tmp_path / "a" / "b" / "c"):
        play(str(folder), blocks=3)
        assert files_below(folder) == ["manifest.json", "results.parquet"]


def test_the_first_folder_that_is_free_or_its_own_is_found(tmp_path):
    manifest = Tournament("connect_four", AGENTS, blocks=3, seed=1).manifest()
    other = Tournament("connect_four", AGENTS, blocks=3, seed=2).manifest()
    assert store.free_folder(tmp_path, "run", manifest) == tmp_path / "run"
    store.Run(tmp_path / "run", other)
    (tmp_path / "run-2").write_text("a file")
    (tmp_path / "run-3").mkdir()
    assert store.free_folder(tmp_path, "run", manifest).name in ("run-3", "run-4")
    store.Run(tmp_path / "run-4", manifest)
    (tmp_path / "run-3" / "foreign").touch()
    assert store.free_folder(tmp_path, "run", manifest) == tmp_path / "run-4"
    assert store.free_folder(tmp_path, "run", other) == tmp_path / "run"


# Interruptions ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("agents", "game"),
    [(AGENTS, "treelings"), (["random", Gambler, "greedy"], "connect_four")],
    ids=["compiled", "in Python"],
)
def test_a_run_that_was_stopped_goes_on_and_ends_as_if_it_had_not_been(tmp_path, agents, game):
    undisturbed = play(agents=agents, game=game)
    assert len(undisturbed) == 360
    folder = tmp_path / "run"
    played = []
    for num_matches in (40, 100, 150):
        interrupted(folder, num_matches, agents=agents, game=game)
        played.append(len(list((folder / "parts").iterdir())))
        with pytest.raises(ValueError, match="not finished; start it again"):
            ex.load_results(folder)
    assert played == sorted(set(played)), "each time some pieces more"
    counts = []
    finished = play(folder, agents=agents, game=game, progress=counts.append)
    assert_same(finished, undisturbed)
    assert 150 <= counts[0] < 180
    assert counts[-1] == 180
    assert_same(ex.load_results(folder), undisturbed)
    assert files_below(folder) == ["manifest.json", "results.parquet"]


def test_what_was_played_before_the_stop_is_not_played_again(tmp_path, monkeypatch):
    folder = tmp_path / "run"
    interrupted(folder, 100)
    done = {
        block
        for file in (folder / "parts").iterdir()
        for block in pd.read_parquet(file).block.unique()
    }
    played_now = []
    play_piece = Tournament.play_piece

    def counted(plan, blocks):
        played_now.extend(blocks)
        return play_piece(plan, blocks)

    monkeypatch.setattr(Tournament, "play_piece", counted)
    play(folder)
    assert done
    assert not done & set(played_now)
    assert sorted(done | set(played_now)) == list(range(90))


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_run_may_go_on_with_another_number_of_workers(tmp_path, n_jobs):
    interrupted(tmp_path / "run", 60, n_jobs=3 - n_jobs)
    assert_same(play(tmp_path / "run", n_jobs=n_jobs), play())


def test_forfeits_and_capped_matches_survive_a_stop(tmp_path):
    game = sim.load("treelings", max_turns=25)
    agents = [Fumbler, "random"]
    undisturbed = play(agents=agents, game=game)
    assert {"capped", "forfeit"} <= set(undisturbed.end)
    interrupted(tmp_path / "run", 60, agents=agents, game=game)
    finished = play(tmp_path / "run", agents=agents, game=game)
    assert_same(finished, undisturbed)
    assert finished.note.str.contains("dropped the cards").any()


def test_a_finished_run_is_read_back_and_not_played_again(tmp_path, monkeypatch):
    once = play(tmp_path / "run")
    monkeypatch.setattr(Tournament, "play_piece", fail_to_play)
    counts = []
    again = play(tmp_path / "run", progress=counts.append)
    pd.testing.assert_frame_equal(again, once)
    assert counts[-1] == once.match.nunique()


def test_a_table_reads_back_as_it_was_returned(tmp_path):
    """The words of a column too that occur in no row, such as forfeit."""
    agents = ["random", "greedy", Fumbler]
    once = play(tmp_path / "run", agents=agents, blocks=6)
    pd.testing.assert_frame_equal(ex.load_results(tmp_path / "run"), once)
    quiet = play(tmp_path / "quiet", blocks=3)
    back = ex.load_results(tmp_path / "quiet")
    pd.testing.assert_frame_equal(back, quiet)
    assert list(back.end.cat.categories) == ["finished", "capped", "forfeit"]


def test_a_resumed_table_reads_back_as_it_was_returned(tmp_path):
    interrupted(tmp_path / "run", 60)
    finished = play(tmp_path / "run")
    pd.testing.assert_frame_equal(ex.load_results(tmp_path / "run"), finished)
    assert list(finished.agent.cat.categories) == list(play().agent.cat.categories)


def test_a_stop_between_the_table_and_the_clearing_of_parts_does_no_harm(tmp_path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(store.shutil, "rmtree", lambda *_, **__: None)
        play(tmp_path / "run")
    assert (tmp_path / "run" / "parts").is_dir()
    monkeypatch.setattr(Tournament, "play_piece", fail_to_play)
    assert_same(ex.load_results(tmp_path / "run"), play(tmp_path / "run"))


@pytest.mark.parametrize("target", ["manifest.json", "part-", "results.parquet"])
def test_a_write_that_is_killed_leaves_no_half_file(tmp_path, monkeypatch, target):
    folder = tmp_path / "run"
    replace = os.replace

    def killed(source, destination):
        if Path(destination).name.startswith(target):
            raise Killed
        replace(source, destination)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", killed)
        with pytest.raises(Killed):
            play(folder)
    names = [Path(name).name for name in files_below(folder)]
    assert not [name for name in names if name.startswith((target, "."))]
    assert_same(play(folder), play())


@pytest.mark.parametrize("target", ["manifest.json", "part-", "results.parquet"])
def test_a_process_that_is_killed_while_it_writes_can_be_started_again(
    tmp_path, monkeypatch, target
):
    """Nothing is tidied up then, so that the file set aside stays behind, half written."""
    folder = tmp_path / "run"
    write_aside = store._write_aside

    def killed(file, write):
        if file.name.startswith(target):
            file.with_name(f".{file.name}.12345").write_bytes(b"half a fi")
            raise Killed
        write_aside(file, write)

    with monkeypatch.context() as patch:
        patch.setattr(store, "_write_aside", killed)
        with pytest.raises(Killed):
            play(folder)
    assert_same(play(folder), play())


@pytest.mark.parametrize("damage", ["cut short", "empty", "of another seed", "given twice"])
def test_a_damaged_or_foreign_part_is_named_and_its_blocks_are_played_again(tmp_path, damage):
    undisturbed = play(tmp_path / "undisturbed")
    folder = tmp_path / "run"
    interrupted(folder, 60)
    first, second, *_ = sorted((folder / "parts").iterdir())
    if damage == "cut short":
        first.write_bytes(first.read_bytes()[:100])
    elif damage == "empty":
        first.write_bytes(b"")
    elif damage == "of another seed":
        frame = pd.read_parquet(first)
        frame.assign(seed=frame.seed + 1).to_parquet(first, index=False)
    else:
        second.write_bytes(first.read_bytes())
        first = second
    with pytest.warns(UserWarning, match=f"{first.name} is damaged, its blocks are played again"):
        results = play(folder)
    pd.testing.assert_frame_equal(
        results.drop(columns="seconds"), undisturbed.drop(columns="seconds")
    )


def test_results_of_another_tournament_are_not_taken_for_these(tmp_path):
    play(tmp_path / "run")
    for other in ("seed", "agent", "rows"):
        frame = pd.read_parquet(tmp_path / "run" / "results.parquet")
        if other == "seed":
            frame["seed"] += 1
        elif other == "agent":
            frame["agent"] = "somebody"
        else:
            frame = frame.iloc[:-2]
        frame.to_parquet(tmp_path / "copy.parquet", index=False)
        folder = tmp_path / other
        play(folder)
        (folder / "results.parquet").write_bytes((tmp_path / "copy.parquet").read_bytes())
        with pytest.raises(ValueError, match="does not hold the results of its manifest"):
            play(folder)


def test_a_second_process_on_the_folder_is_told_so(tmp_path):
    told = []

    def progress(num_matches):
        if not told:
            told.append(num_matches)
            with pytest.raises(ValueError, match="another process is playing the tournament"):
                play(tmp_path / "run")

    play(tmp_path / "run", progress=progress)
    assert told
    assert not (tmp_path / "run" / ".lock").exists()


def test_a_damaged_table_is_named(tmp_path):
    play(tmp_path / "run")
    file = tmp_path / "run" / "results.parquet"
    file.write_bytes(b"")
    with pytest.raises(ValueError, match=r"results\.parquet"):
        ex.load_results(tmp_path / "run")


# Reading ------------------------------------------------------------------------------------------


def test_results_of_nothing_are_refused(tmp_path):
    with pytest.raises(ValueError, match="nowhere holds no tournament"):
        ex.load_results(tmp_path / "nowhere")
    with pytest.raises(ValueError, match="holds no tournament"):
        ex.load_results(tmp_path)
    (tmp_path / "file").touch()
    with pytest.raises(ValueError, match="file holds no tournament"):
        ex.load_results(tmp_path / "file")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"[]",
        b"null",
        b"{}",
        b'{"game": "connect_four", "players": 2}',
        b"\xff\xfe\x00",
        b"\x00" * 20,
    ],
    ids=repr,
)
def test_a_damaged_manifest_is_told_and_nothing_is_overwritten(tmp_path, content):
    folder = tmp_path / "run"
    play(folder, blocks=3)
    (folder / "manifest.json").write_bytes(content)
    for read in (store.read_manifest, ex.load_results, lambda folder: play(folder, blocks=3)):
        with pytest.raises(ValueError, match="run holds no tournament"):
            read(folder)
    assert (folder / "manifest.json").read_bytes() == content
    assert (folder / "results.parquet").exists()


def test_the_versions_are_those_that_run():
    assert store.versions()["numpy"] == np.__version__
    assert store.versions()["pandas"] == pd.__version__
