"""A tournament in a file: written by somebody in TOML, or the manifest of a run."""

import json

import pytest

import experiments as ex
import sim
from experiments.plans import load_plan

TEXT = """
game = "treelings"
players = [2, 3]
agents = ["random", "greedy:cards=1"]
self_play = true
seats = "permutations"
blocks = 28
seed = 9
[options]
max_turns = 60
[tables]
guilds = "guilds.csv"
[[against]]
max_turns = 50
"""


@pytest.fixture
def toml(tmp_path):
    sim.load("treelings").components["guilds"].to_csv(tmp_path / "guilds.csv", index=False)
    file = tmp_path / "plan.toml"
    file.write_text(TEXT, "utf-8")
    return file


def without_times(table):
    return table.drop(columns="seconds")


def test_a_plan_in_toml_is_the_tournament_it_says(toml):
    plan = load_plan(toml)
    guilds = toml.parent / "guilds.csv"
    games = [
        sim.load("treelings", players=players, max_turns=turns, guilds=guilds)
        for turns in (60, 50)
        for players in (2, 3)
    ]
    assert [game.rules_hash for game in plan.games] == [game.rules_hash for game in games]
    expected = ex.schedule(
        games,
        ["random", "greedy:cards=1"],
        self_play=True,
        seats="permutations",
        blocks=28,
        seed=9,
    )
    assert plan.table_of_matches().equals(expected)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('game = "treelings"', "", "game is missing"),
        ('agents = ["random", "greedy:cards=1"]', "", "agents is missing"),
        ("blocks = 28", "block = 28", "unknown key 'block'"),
        ("blocks = 28", 'blocks = "28"', "blocks = '28' is not accepted"),
        ("blocks = 28", "blocks = true", "blocks = True is not accepted"),
        ("self_play = true", "self_play = 1", "self_play = 1 is not accepted"),
        ("blocks = 28", "blocks = 27", "multiple of 14"),
        ("max_turns = 60", "max_turn = 60", "max_turn"),
        ("seed = 9", "seed = ", "is no tournament"),
        ("max_turns = 60", "players = 3", "plan.toml: "),
        ('guilds = "guilds.csv"', "guilds = 3", "plan.toml: "),
        ('agents = ["random", "greedy:cards=1"]', "agents = [1]", "plan.toml: 1 is not an agent"),
    ],
)
def test_what_is_wrong_in_a_plan_is_said_with_the_name_of_the_file(toml, old, new, words):
    toml.write_text(TEXT.replace(old, new), "utf-8")
    with pytest.raises(ValueError, match=words) as error:
        load_plan(toml)
    assert "plan.toml" in str(error.value)


def test_a_file_that_is_not_there_is_said(tmp_path):
    with pytest.raises(ValueError, match="nothing.toml is no tournament"):
        load_plan(tmp_path / "nothing.toml")


def test_the_manifest_of_a_run_plays_the_same_again(toml, tmp_path):
    plan = load_plan(toml)
    first = ex.tournaments.play_tournament(plan, out=tmp_path / "run")
    again = load_plan(tmp_path / "run" / "manifest.json")
    second = ex.tournaments.play_tournament(again, out=tmp_path / "again")
    assert without_times(first).equals(without_times(second))


def test_a_manifest_of_other_agents_or_rules_is_refused(toml, tmp_path):
    manifest = json.loads(json.dumps(load_plan(toml).manifest()))
    file = tmp_path / "manifest.json"

    def refused(**changes):
        file.write_text(json.dumps(manifest | changes), "utf-8")
        with pytest.raises(ValueError) as error:
            load_plan(file)
        return str(error.value)

    agents = json.loads(json.dumps(manifest["agents"]))
    agents[1]["parameters"]["cards"] = 2
    assert "greedy:cards=1 has other parameters now: cards" in refused(agents=agents)
    assert "given as an object" in refused(specs=[None, "greedy:cards=1"])
    rules = json.loads(json.dumps(manifest["rule_sets"]))
    rules[0]["rules_hash"] = "0"
    assert "rules cannot be had" in refused(rule_sets=rules)
    assert "no manifest" in refused(agents="greedy")
    assert "no manifest" in refused(rule_sets=[{}])
