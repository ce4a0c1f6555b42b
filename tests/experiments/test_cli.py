"""The command as it is typed: what it prints, what it leaves behind, what it refuses and how."""

import re
import shlex
import subprocess
import sys
from importlib.metadata import entry_points
from pathlib import Path

import pandas as pd
import pytest

import experiments as ex
import sim
from agents import KINDS
from experiments import cli
from sim.game import find_definition
from sim.match import MatchRecord

BOT_FILE = """
class Picky:
    def choose(self, view, legal, rng):
        return legal[0]


class Careless:
    def choose(self, view, legal, rng):
        raise RuntimeError("lost [bold]everything[/bold]")
"""
GUILDS = sim.load("treelings").components["guilds"]
SMALL = ("tournament", "connect_four", "random", "greedy", "--blocks", "4", "--jobs", "1")


class Answer:
    """What a command said, and how it ended."""

    def __init__(self, code, out, err):
        self.code, self.out, self.err = code, out, err

    def line(self, word):
        """The rest of the one line that starts with a word."""
        (rest,) = re.findall(rf"^{word} +(.*)$", self.out, re.MULTILINE)
        return rest


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
        return Answer(ended.value.code or 0, *capsys.readouterr())

    return run


def assert_fits(text, columns):
    """Nothing is cut, and nothing is wider than the terminal."""
    assert "…" not in text
    assert "..." not in text.replace("{AGENTS...}", "").replace("AGENTS...", "")
    too_long = [line for line in text.splitlines() if len(line.rstrip()) > columns]
    assert too_long == []


def assert_refused(answer, message):
    assert answer.code == 2
    assert "Traceback" not in answer.err + answer.out
    assert re.fullmatch(r"error: [^\n]+\n", answer.err), answer.err
    assert re.search(message, answer.err), answer.err


def table_in(folder):
    return pd.read_parquet(Path(folder) / "results.parquet").drop(columns="seconds")


# Lists --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [80, 100])
def test_games_are_listed_with_all_their_options(kibitz, columns):
    answer = kibitz("games", columns=columns)
    assert answer.code == 0
    assert_fits(answer.out, columns)
    parts = dict(
        zip(
            sim.known_games(),
            re.split(rf"^(?:{'|'.join(sim.known_games())})  ", answer.out, flags=re.MULTILINE)[1:],
            strict=True,
        )
    )
    for name, text in parts.items():
        game = find_definition(name)
        words = text.split()
        assert text.startswith(game.title)
        assert str(game.players.stop - 1) in text.splitlines()[0]
        for option in game.options:
            (line,) = [line for line in text.splitlines() if line.split()[:1] == [option.name]]
            assert line.split()[1] == str(option.default)
            assert set(f"{option.accepted} {option.help}".split()) <= set(words)
        for table in game.tables:
            assert table.name in words
        joined = " ".join(words)
        for entry in game.not_modelled:
            assert f"- {entry}" in joined


@pytest.mark.parametrize("columns", [80, 100])
def test_agents_are_listed_with_all_their_parameters(kibitz, columns):
    answer = kibitz("agents", columns=columns)
    assert answer.code == 0
    assert_fits(answer.out, columns)
    lines = [line.split() for line in answer.out.splitlines()]
    joined = " ".join(answer.out.split())
    for kind in KINDS.values():
        assert f"{kind.name} {kind.help}" in joined
        for parameter in kind.parameters:
            (line,) = [line for line in lines if line[:1] == [parameter.name]]
            if parameter.default is not None:
                assert line[1] == f"{parameter.default:g}"
            assert set(parameter.help.split()) <= set(answer.out.split())
    for name in sim.known_games():
        game = find_definition(name)
        for feature, weight in zip(game.feature_names, game.weights, strict=True):
            assert [feature, f"{weight:g}", "a", "number", "weight,", "in", name] in lines


def test_help_names_every_command_and_every_option(kibitz):
    answer = kibitz("--help")
    assert answer.code == 0
    assert {"games", "agents", "tournament", "tune", "bench"} <= set(answer.out.split())
    answer = kibitz("tournament", "--help")
    assert answer.code == 0
    assert "…" not in answer.out
    for option in ("players", "matches", "blocks", "seed", "jobs", "out", "set", "table"):
        assert f"--{option}" in answer.out


def test_the_command_is_installed():
    (script,) = entry_points(group="console_scripts", name="kibitz")
    assert script.load() is cli.main


# A tournament -------------------------------------------------------------------------------------


@pytest.mark.parametrize("columns", [80, 100])
def test_a_tournament_prints_the_standings_of_its_table(kibitz, columns):
    words = ("treelings", "random", "greedy", "mcts:simulations=20", "--players", 3)
    answer = kibitz("tournament", *words, "--blocks", 4, "--out", "run", columns=columns)
    assert answer.code == 0
    assert answer.err == ""
    shares = ex.win_shares(ex.load_results("run"))
    text = answer.out.partition("\nwin share of each seat")[0]
    rows = [line for line in text.splitlines() if re.search(r" % +\S+ - ", line)]
    assert len(rows) == 3
    for line, row in zip(rows, shares.itertuples(), strict=True):
        assert row.agent.startswith(line.split()[0])
        assert re.split(r"  +", line.strip())[1:] == [
            f"{100 * row.win_share:.1f} %",
            f"{100 * row.low:.1f} - {100 * row.high:.1f}",
            f"{row.score:.1f}",
            f"{row.rank:.2f}",
            "12",
        ]
    assert "fair share of a seat: 33.3 % · intervals over 4 blocks" in answer.out
    for row in ex.seat_effect(ex.load_results("run")).itertuples():
        assert f"seat {row.seat}  {100 * row.win_share:5.1f} %" in answer.out
    assert "12 matches, 12 of them distinct, none capped, none forfeited" in answer.out
    assert answer.out.startswith("treelings, 3 players · 4 blocks x 3 rotations · seed 0\n")


PLAN = """
game = "connect_four"
agents = ["random", "greedy"]
blocks = 6
seed = 4
[[against]]
max_turns = 30
"""


def test_a_plan_in_a_file_and_the_manifest_of_its_run_are_played(kibitz):
    Path("plan.toml").write_text(PLAN, "utf-8")
    answer = kibitz("tournament", "plan.toml", "--out", "one", "--jobs", 1)
    assert answer.code == 0, answer.err
    assert answer.line("command") == "kibitz tournament plan.toml --jobs 1 --out one"
    assert kibitz("tournament", "one/manifest.json", "--out", "two", "--jobs", 1).code == 0
    one, two = (ex.load_results(name).drop(columns="seconds") for name in ("one", "two"))
    assert one.equals(two)
    typed = "--blocks 6 --seed 4 --against max_turns=30 --out three --jobs 1".split()
    assert kibitz("tournament", "connect_four", "random", "greedy", *typed).code == 0
    assert one.equals(ex.load_results("three").drop(columns="seconds"))


def test_each_rule_set_and_number_of_players_has_standings_and_pictures_of_its_own(kibitz):
    words = "--players 2,3 --blocks 9 --against max_turns=50 --matches 20 --jobs 1 --out run"
    answer = kibitz("tournament", "treelings", "random", "greedy", *words.split())
    assert answer.code == 2
    assert "blocks or matches, not both" in answer.err
    words = words.replace("--matches 20 ", "").replace("9", "6")
    answer = kibitz("tournament", "treelings", "random", "greedy", *words.split())
    assert answer.code == 0
    results = ex.load_results("run")
    heads = [line for line in answer.out.splitlines() if line.endswith("----")]
    for head, words in zip(
        heads,
        ["as published, 2", "as published, 3", "max_turns=50, 2", "max_turns=50, 3"],
        strict=True,
    ):
        assert head.startswith(f"{words} players ---")
    assert answer.out.count("fair share of a seat: 33.3 %") == 2
    assert len(list(Path("run").glob("*.png"))) == 4 * 3
    assert results.groupby(["variant", "players"], observed=True).ngroups == 4


def test_what_is_decided_is_shown_with_both_intervals(kibitz):
    words = "tournament treelings random greedy --players 2 --blocks 500 --until decided --out run"
    answer = kibitz(*words.split(), "--jobs", 1)
    assert answer.code == 0
    row = ex.anytime(ex.load_results("run")).iloc[0]
    assert row.rounds < 100
    for low, high in ((row.plain_low, row.plain_high), (row.anytime_low, row.anytime_high)):
        assert f"{100 * low:.1f} - {100 * high:.1f}" in answer.out
    assert f"after {row.rounds} rounds, 500 at most" in answer.out
    assert "behind" in answer.out
    assert "--until decided" in answer.line("command")


def test_every_number_of_players_is_shown_as_it_was_decided(kibitz):
    words = (
        "tournament treelings random greedy --players 2,3 --blocks 600 --until decided --out run"
    )
    answer = kibitz(*words.split(), "--jobs", 1)
    found = ex.anytime(ex.load_results("run"))
    assert found.players.tolist() == [2, 3]
    assert set(found.verdict) == {"behind"}
    assert answer.out.count("behind") == 2
    assert answer.out.count(f"after {found.rounds[0]} rounds, 200 at most") == 2


def test_a_match_of_a_run_is_shown_move_by_move(kibitz):
    bot = "class Odd:\n    def choose(self, view, legal, rng):\n        return legal[-1]\n"
    Path("bot.py").write_text(bot, "utf-8")
    words = "tournament treelings random bot.py:Odd --players 2,3 --blocks 6 --jobs 1 --out run"
    assert kibitz(*words.split()).code == 0
    results = ex.load_results("run")
    for match in (0, results.match.max()):
        answer = kibitz("replay", "run", match, "--out", "match.json")
        assert answer.code == 0, answer.err
        record = MatchRecord.load("match.json")
        rows = results[results.match == match].sort_values("seat")
        assert record.scores == tuple(rows.score)
        moves = re.findall(r"^ +(\d+)  seat (\d)  (.+)$", answer.out, re.MULTILINE)
        assert [int(number) for number, _, _ in moves] == list(range(len(record.actions)))
        states = list(record.replay())
        assert [int(seat) for _, seat, _ in moves] == [s.to_move + 1 for s in states[:-1]]
        for row in rows.itertuples():
            assert (
                f"seat {row.seat}  rank {row.rank}  {row.score} points  {row.agent}" in answer.out
            )
    assert_refused(kibitz("replay", "run", 99), "no match 99; accepted: 0 to")
    assert_refused(kibitz("replay", "nowhere", 0), "nowhere")


def test_runs_are_merged_and_their_matches_shown(kibitz):
    for seed in (1, 2):
        words = f"tournament treelings random greedy --blocks 4 --seed {seed} --out run{seed}"
        assert kibitz(*words.split(), "--jobs", 1).code == 0
    answer = kibitz("merge", "all", "run1", "run2")
    assert answer.code == 0, answer.err
    assert answer.out.startswith("2 runs, 8 blocks\n")
    assert "intervals over 8 blocks" in answer.out
    for what in ("results", "manifest"):
        assert Path(answer.line(what)).exists()
    assert kibitz("replay", "all", 12).code == 0
    assert_refused(kibitz("merge", "more", "run1", "run1"), "run1 and run1 hold the same blocks")
    assert_refused(kibitz("tournament", "all/manifest.json"), "were merged here")


def test_a_dry_run_prints_the_schedule_and_plays_nothing(kibitz):
    words = "tournament treelings random greedy --players 2 --self-play --blocks 6 --dry-run"
    answer = kibitz(*words.split())
    assert answer.code == 0
    assert "8 matches in all · nothing was played" in answer.out
    assert re.search(r"^random +2 +2 +2 +4\ngreedy +$", answer.out, re.MULTILINE)
    assert not Path("results").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("treelings", "no agents"),
        ("treelings random --players 2,x", "--players 2,x is not accepted"),
        ("treelings random --players 2,2", "given twice"),
        ("treelings random --format swiss", "round-robin, gauntlet, fixed, mirror"),
        ("treelings random --seats all", "rotations, permutations"),
        ("treelings random greedy --format mirror --self-play", "belongs to the format"),
        ("treelings random --backend dask", "--backend dask --scheduler ADDRESS"),
        ("treelings random --scheduler tcp://127.0.0.1:9", "--backend dask --scheduler ADDRESS"),
        ("treelings random --backend slurm", "accepted: --backend local"),
        ("treelings random --time-limit 0", "decision limit 0"),
        ("treelings random greedy --until bored", "accepted: decided"),
        ("treelings random greedy --precision 2", "0.001 to 0.5"),
        ("treelings random --against max_turn=3", "max_turn"),
        ("nothing.toml", "nothing.toml is no tournament"),
        ("plan.toml random", "says all of a tournament; agents cannot be given"),
        ("plan.toml --self-play", "--self-play cannot be given beside it"),
        ("plan.toml --time-limit 3", "--time-limit cannot be given beside it"),
        ("plan.toml --set max_turns=3", "--set cannot be given beside it"),
    ],
)
def test_what_is_no_schedule_is_one_line(kibitz, words, message):
    Path("plan.toml").write_text(PLAN, "utf-8")
    answer = kibitz("tournament", *words.split())
    assert answer.code == 2
    assert message in answer.err
    assert answer.err.count("\n") == 1
    assert not Path("results").exists()


PLAYED_BEFORE = "played before: the results are read, nothing is played"


@pytest.mark.parametrize("columns", [40, 80, 100])
def test_long_names_of_agents_are_folded_and_never_cut(kibitz, columns):
    spec = "greedy:score=1,best_rival=-0.765,cards=0.123456,columns=0.25"
    answer = kibitz("tournament", "treelings", "random", spec, "--blocks", 4, columns=columns)
    assert answer.code == 0
    assert "…" not in answer.out
    standings = answer.out.partition("fair share")[0]
    names = "".join(re.split(r"  +", line)[0] for line in standings.splitlines())
    assert spec in names
    assert all(len(line.rstrip()) <= max(columns, 60) for line in standings.splitlines())


def test_the_files_it_names_are_there(kibitz):
    answer = kibitz(*SMALL)
    assert answer.code == 0
    folder = Path("results/connect_four-2p-seed0")
    assert answer.line("results") == f"{folder}/results.parquet"
    assert answer.line("manifest") == f"{folder}/manifest.json"
    names = ["win_shares.png", "scores.png", "who_beats_whom.png"]
    assert answer.line("pictures") == f"{folder}/{', '.join(names)}"
    for name in names:
        assert (folder / name).read_bytes().startswith(b"\x89PNG")
    assert sorted(path.name for path in folder.iterdir()) == sorted(
        [*names, "results.parquet", "manifest.json"]
    )


@pytest.mark.parametrize("folder", ["my run", "my[first]run", "a:smile:b", "a'b"])
def test_the_files_it_names_are_there_in_a_folder_of_any_name(kibitz, folder):
    answer = kibitz(*SMALL, "--out", folder)
    assert answer.code == 0
    assert Path(answer.line("results")).is_file()
    assert Path(answer.line("manifest")).is_file()
    assert Path(answer.line("pictures").partition(", ")[0]).is_file()


@pytest.mark.parametrize("num_blocks", [1, 2, 3, 9])
def test_a_tournament_that_one_agent_wins_altogether_can_be_reported(kibitz, num_blocks):
    answer = kibitz("tournament", "connect_four", "random", "greedy", "--blocks", num_blocks)
    assert (answer.code, answer.err) == (0, "")
    assert answer.line("pictures").endswith("who_beats_whom.png")


def test_one_agent_alone_has_no_picture_of_pairs(kibitz):
    answer = kibitz("tournament", "treelings", "random", "--players", 3, "--matches", 5)
    assert answer.code == 0
    assert answer.line("pictures").endswith("win_shares.png, scores.png")


@pytest.mark.parametrize("columns", [80, 100])
@pytest.mark.parametrize(
    "words",
    [
        ("connect_four", "random", "greedy", "mcts:simulations=20", "--matches", "12"),
        ("treelings", "random", "greedy", "--players", "3", "--blocks", "4", "--seed", "-5"),
        (
            *("treelings", "bots.py:Picky", "random", "--blocks", "2", "--jobs", "2"),
            *("--set", "market_size=6", "--set", "winner_tie=later_seat"),
            *("--table", "guilds=my guilds.csv", "--out", "a folder"),
        ),
    ],
    ids=["line-ups", "three players", "all options"],
)
def test_the_command_it_prints_does_the_same_again(kibitz, words, columns):
    Path("bots.py").write_text(BOT_FILE)
    GUILDS.assign(count=GUILDS["count"] + 1).to_csv("my guilds.csv", index=False)
    first = kibitz("tournament", *words, columns=columns)
    assert first.code == 0, first.err
    folder = Path(first.line("results")).parent
    table, kept = table_in(folder), (folder / "results.parquet").stat().st_mtime_ns

    name, *printed = shlex.split(first.line("command"))
    assert name == "kibitz"
    again = kibitz(*printed, columns=columns)
    assert again.code == 0, again.err
    heading, rest = again.out.split(f"{PLAYED_BEFORE}\n")
    assert heading + rest == first.out.replace(first.line("command"), again.line("command"))
    assert again.line("command") == first.line("command")
    assert (folder / "results.parquet").stat().st_mtime_ns == kept

    folder.rename("elsewhere")
    anew = kibitz(*printed, columns=columns)
    assert anew.code == 0, anew.err
    pd.testing.assert_frame_equal(table_in(folder), table)


def test_options_and_tables_of_the_command_reach_the_game(kibitz):
    GUILDS.assign(count=GUILDS["count"] + 1).to_csv("guilds.csv", index=False)
    answer = kibitz(
        *("tournament", "treelings", "random", "--players", 4, "--blocks", 2, "--out", "run"),
        *("--set", "market_size=6", "--set", "refill_timing=start", "--table", "guilds=guilds.csv"),
    )
    assert answer.code == 0
    game = sim.load(
        "treelings",
        players=4,
        market_size=6,
        refill_timing="start",
        guilds=GUILDS.assign(count=GUILDS["count"] + 1),
    )
    assert set(ex.load_results("run").rules_hash) == {game.rules_hash}
    assert answer.out.startswith(
        "treelings, refill_timing=start, market_size=6, own guilds, 4 players"
    )


def test_another_tournament_gets_another_folder_of_its_own(kibitz):
    first = kibitz(*SMALL)
    second = kibitz(*SMALL[:3], "mcts:simulations=5", *SMALL[4:])
    assert Path(first.line("results")).parent.name == "connect_four-2p-seed0"
    assert Path(second.line("results")).parent.name == "connect_four-2p-seed0-2"
    assert kibitz(*SMALL).out.replace(f"{PLAYED_BEFORE}\n", "") == first.out


def test_progress_is_silent_when_nobody_watches(kibitz):
    answer = kibitz("tournament", "connect_four", "random", "greedy", "--blocks", 200)
    assert answer.code == 0
    assert answer.err == ""
    for mark in ("\r", "\x1b", "━", "0:00:0"):
        assert mark not in answer.out
    assert "\n\n\n" not in answer.out


def test_forfeits_and_their_reasons_are_printed(kibitz):
    Path("bots.py").write_text(BOT_FILE)
    answer = kibitz("tournament", "connect_four", "bots.py:Careless", "random", "--blocks", 4)
    assert answer.code == 0
    assert "none capped, 8 forfeited" in answer.out
    reason = "RuntimeError: lost [bold]everything[/bold]"
    assert f"8 x bots.py:Careless: {reason}" in " ".join(answer.out.split())


def test_capped_and_repeated_matches_are_pointed_out(kibitz):
    Path("bots.py").write_text(BOT_FILE)
    words = ("tournament", "connect_four", "bots.py:Picky", "--blocks", 5)
    answer = kibitz(*words, "--set", "max_turns=3")
    assert "5 matches, 1 of them distinct, 5 capped, none forfeited" in answer.out
    assert "warning: many matches repeat each other" in answer.out
    assert "warning" not in kibitz(*SMALL).out


# What is not accepted -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("treeling random greedy", "unknown game 'treeling'; did you mean treelings"),
        ("treelings random greddy", "unknown agent 'greddy'; did you mean greedy"),
        ("treelings random mtcs:200", "unknown agent 'mtcs'; did you mean mcts"),
        ("treelings random mcts:simulation=5", "'simulation'; did you mean simulations"),
        ("treelings random mcts:simulations=x", "simulations=x is not accepted; accepted"),
        ("treelings random nowhere.py:Bot", "no file 'nowhere.py'"),
        ("treelings random --players 6", "6 players; accepted: 2 to 5"),
        ("connect_four random --players 3", "3 players; accepted: 2"),
        ("treelings random --matches 0", "matches=0 is not accepted"),
        ("treelings random --blocks -1", "blocks=-1 is not accepted"),
        ("treelings random greedy --matches 3", "such as 2 or 4"),
        ("treelings random --blocks 2 --matches 4", "blocks or matches, not both"),
        ("treelings random --blocks 2 --jobs 0", "jobs=0 is not accepted; accepted"),
        ("treelings random --seed 99999999999999999999", "seed=9+ is not accepted"),
        ("treelings random --set market_size", "--set market_size is not accepted"),
        ("treelings random --set =6", "--set =6 is not accepted; accepted: --set name=value"),
        ("treelings random --set market_siz=6", "'market_siz'; did you mean market_size"),
        ("treelings random --set market_size=99", "market_size=99 is not .*accepted: 1 to 24"),
        ("treelings random --set market_size=-1", "market_size=-1 is not .*accepted: 1 to 24"),
        ("treelings random --set market_size=x", "market_size='x' is not .*accepted: 1 to 24"),
        ("treelings random --set market_size=--4", "market_size='--4' is not .*accepted: 1 to"),
        ("treelings random --set market_size=²", "market_size='²' is not .*accepted: 1 to 24"),
        ("treelings random --set winner_tie=dice", "winner_tie='dice'.*accepted: shared"),
        ("treelings random --set market_size=6 --set market_size=7", "market_size.*twice"),
        ("treelings random --set guilds=a.csv", "accepted: --table guilds="),
        ("treelings random --table guilds", "--table guilds is not accepted"),
        ("treelings random --table guild=a.csv", "'guild'; did you mean guilds"),
        ("treelings random --table guilds=none.csv", "no file 'none.csv'"),
        ("treelings random --table guilds=short.csv", "count"),
        ("treelings random --table guilds=twice.csv", "stands already"),
        ("treelings random --table guilds=binary.csv", "binary.csv|guilds"),
        ("treelings random --table guilds=empty.csv", "empty.csv|guilds"),
        ("connect_four random --table guilds=short.csv", "'guilds'; known: none"),
        ("connect_four random --out short.csv", "short.csv is a file; a folder is needed"),
        ("connect_four random --out short.csv/run", "short.csv"),
        ("connect_four random --out .", "holds other files and no tournament"),
        ("tree[red]lings random", re.escape("unknown game 'tree[red]lings'")),
    ],
)
def test_what_is_typed_wrongly_is_one_line_on_standard_error(kibitz, words, message):
    GUILDS.drop(columns="count").to_csv("short.csv", index=False)
    pd.concat([GUILDS, GUILDS.iloc[:1]]).iloc[1:].assign(
        name=lambda frame: frame.name.iloc[[0, 0, 1, 2, 3, 4]].to_list()
    ).to_csv("twice.csv", index=False)
    Path("binary.csv").write_bytes(bytes(range(128, 256)))
    Path("empty.csv").touch()
    before = sorted(Path().rglob("*"))
    assert_refused(kibitz("tournament", *words.split()), message)
    assert sorted(Path().rglob("*")) == before


def test_the_folder_of_another_tournament_is_refused_in_one_line(kibitz):
    assert kibitz(*SMALL, "--out", "run").code == 0
    answer = kibitz(*SMALL, "--out", "run", "--seed", 1)
    assert_refused(answer, "run holds the results of another tournament.*seed there 0, here 1")


@pytest.mark.parametrize("columns", [80, 100])
def test_a_ladder_is_printed_drawn_and_read_again(kibitz, columns):
    words = ("ladder", "connect_four", "--agent", "mcts:exploration=0.8", "--top", "32")
    words += ("--blocks", "4", "--jobs", "1", "--out", "climb")
    first = kibitz(*words, columns=columns)
    assert first.code == 0
    assert max(map(len, first.out.splitlines())) <= columns
    rows = re.findall(r"^ +(greedy|16|32)  (\S.*?\S) {2,}[0-9.]+ %", first.out, re.MULTILINE)
    assert rows == [
        ("greedy", "random"),
        ("16", "random"),
        ("16", "greedy"),
        ("32", "step below"),
        ("32", "greedy"),
    ]
    assert Path("climb/ladder.png").exists()
    table = pd.read_csv("climb/ladder.csv")
    assert table.agent[4] == "mcts:simulations=32,exploration=0.8"
    again = kibitz(*words, columns=columns)
    assert again.out == first.out, "the milliseconds too: nothing was played"


def on_record(agents=("greedy", "random")):
    game = sim.load("treelings", players=2)
    results = ex.tournament(game, agents, blocks=1, seed=1)
    record = ex.play_again(results, 0, game, agents)
    record.save("match.json")
    return game, record


@pytest.mark.parametrize("columns", [80, 100])
def test_a_position_on_record_is_explained(kibitz, columns):
    game, record = on_record()
    words = ("explain", "match.json", "--actions", "2", "--agent", "mcts:simulations=60")
    answer = kibitz(*words, columns=columns)
    assert answer.code == 0
    state = next(state for i, state in enumerate(record.replay()) if i == 2)
    for action in game.legal(state):
        assert game.action_text(state, action)[:16] in answer.out, "long ones are folded"
    assert "mcts:simulations=60,exploration=0.7, seed 0" in answer.out
    played = game.action_text(state, record.actions[2])
    assert f"played in the match: {played}" in answer.out
    table = ex.explain(game, state, "mcts:simulations=60")
    first = table.loc[0]
    player = table.attrs["player"]
    assert re.search(
        rf"{first.visits} +{100 * first[f'value_{player}']:.1f} % +"
        rf"{100 * first[f'low_{player}']:.1f} - {100 * first[f'high_{player}']:.1f}",
        answer.out,
    )
    assert max(map(len, answer.out.splitlines())) <= columns


def test_without_a_number_the_last_decision_is_explained(kibitz):
    _, record = on_record()
    last = len(record.actions) - 1
    short = ("explain", "match.json", "--agent", "mcts:simulations=5")
    assert kibitz(*short).out == kibitz(*short, "--actions", last).out
    assert kibitz(*short).out != kibitz(*short, "--actions", last - 1).out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("explain", "nowhere.json"), "nowhere.json"),
        (("explain", "match.json", "--actions", "-1"), "--actions -1 is not accepted; accepted: 0"),
        (("explain", "match.json", "--actions", "999"), "--actions 999 is not accepted"),
        (("explain", "match.json", "--agent", "greedy"), "greedy does not search"),
        (("ladder", "connect_four", "--top", "15"), "--top 15 is not accepted; accepted: 16"),
        (("ladder", "connect_four", "--agent", "greedy"), "unknown parameter of greedy"),
        (("ladder", "newdale", "--players", "1"), "at least two players"),
    ],
)
def test_what_cannot_be_explained_or_climbed_is_one_line(kibitz, words, message):
    on_record()
    answer = kibitz(*words)
    assert answer.code == 2
    assert message in answer.err
    assert answer.err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    ["tournamet", "tournament", "tournament treelings random --seed x"],
)
def test_what_cannot_be_a_command_ends_with_the_same_code(kibitz, words):
    answer = kibitz(*words.split())
    assert answer.code == 2
    assert answer.out == ""
    assert "Traceback" not in answer.err
    assert "Usage: " in answer.err


def test_the_real_command_answers_in_the_shell_as_it_does_here(tmp_path):
    command = [sys.executable, "-m", "experiments.cli", "tournament"]
    done = subprocess.run(
        [*command, "treeling", "random"], cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("error: unknown game 'treeling'; did you mean treelings?")
    assert done.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []
