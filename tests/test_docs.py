"""The pages of the documentation say what holds."""

import re
from pathlib import Path

import pandas as pd
import pytest
from games_under_test import SHIPPED

from agents import KINDS, Limits
from experiments.plans import load_plan
from experiments.schedules import FORMATS, SEATS
from sim.game import find_definition

DOCS = Path(__file__).parent.parent / "docs"
PAGE = (DOCS / "search.md").read_text("utf-8")
ABLATION = pd.read_csv(DOCS / "search" / "ablation.csv")
BUDGETS = {"simulations", "seconds", "nodes", "threads"}


def test_the_page_says_what_is_played_by_default():
    played = dict(re.findall(r"^\| (\w+) \| `([^`]*)` \|$", PAGE, re.MULTILINE))
    assert played == {name: find_definition(name).search for name in SHIPPED}


@pytest.mark.parametrize("game", SHIPPED)
def test_every_parameter_of_the_default_was_taken_away_or_changed(game):
    changes = ABLATION[ABLATION.game == game].change.str.findall(r"(\w+)=")
    changed = {name for names in changes for name in names}
    of_default = {p.partition("=")[0] for p in find_definition(game).search.split(",")}
    assert of_default <= changed


def test_every_parameter_there_is_was_tried_in_several_games():
    for parameter in KINDS["mcts"].parameters:
        if parameter.name not in BUDGETS:
            is_tried = ABLATION.change.str.contains(rf"\b{parameter.name}=")
            assert ABLATION[is_tried].game.nunique() >= 3, parameter.name


def test_each_game_was_played_at_equal_simulations_and_at_equal_time():
    first = ABLATION[ABLATION["round"] == "first"]
    assert set(zip(first.game, first.equal, strict=True)) == {
        (game, equal) for game in SHIPPED for equal in ("simulations", "time")
    }


def test_rows_are_duels_that_can_be_played_again():
    assert not ABLATION.isna().any(axis=None)
    assert ABLATION.blocks.ge(12).all()
    assert (ABLATION.share_low <= ABLATION.share).all()
    assert (ABLATION.share <= ABLATION.share_high).all()


def test_links_and_pictures_lead_somewhere():
    for target in re.findall(r"\]\(([^)]+)\)", PAGE):
        assert (DOCS / target).exists(), target


def test_the_plan_on_the_page_on_tournaments_can_be_played(tmp_path):
    page = (DOCS / "tournaments.md").read_text("utf-8")
    (text,) = re.findall(r"^```toml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    file = tmp_path / "plan.toml"
    file.write_text(text, "utf-8")
    plan = load_plan(file)
    assert [game.players for game in plan.games] == [2, 3, 2, 3]
    assert plan.limits == Limits(decision=5.0, match=120.0, memory=1024)
    for name, meaning in {**FORMATS, **SEATS}.items():
        assert f"`{name}`" in page or f"--seats {name}" in page, meaning
