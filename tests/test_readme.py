"""What the README shows is so."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from games_under_test import SHIPPED

import experiments as ex
from agents import KINDS

ROOT = Path(__file__).parent.parent
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language):
    return re.findall(rf"```{language}\n(.*?)```", TEXT, re.DOTALL)


def test_it_is_short_and_its_links_lead_somewhere():
    assert len(TEXT.splitlines()) <= 200
    links = re.findall(r"\]\(([^)#]+)\)", TEXT)
    assert len(links) >= 2
    assert all((ROOT / link).exists() for link in links)


def test_the_program_prints_the_table_below_it(tmp_path):
    program = blocks("python")[0]
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        cwd=tmp_path,
    )
    shown = TEXT[TEXT.index(program) :].split("```\n")[2].strip("\n")
    assert "win_share" in shown
    assert done.stdout.startswith(shown)
    assert (tmp_path / "win_shares.png").exists()


def test_the_bot_plays():
    names = {}
    exec(blocks("python")[1], names)
    results = ex.tournament("treelings", [names["Hoarder"], "random"], players=4, blocks=3, seed=1)
    assert (results.end == "finished").all()
    assert ex.win_shares(results).agent[0] == "Hoarder"


def test_the_standings_of_the_demo_are_those_that_it_prints(capsys):
    from rich.console import Console

    from experiments import report

    agents = ["random", "greedy", "mcts:simulations=200"]
    results = ex.tournament("treelings", agents, players=3, matches=600, seed=1, n_jobs=2)
    report.print_standings(results, Console(width=100))
    shown = next(block for block in blocks("") if block.startswith("treelings, 3 players"))
    printed = [line.rstrip() for line in capsys.readouterr().out.splitlines()]
    for line in shown.splitlines()[1:]:
        assert line.rstrip() in printed


def test_the_gain_of_the_tuning_is_the_one_that_it_prints():
    from experiments.stats import measures
    from experiments.tuning import Tuning

    shown = re.search(r"```\n(parameter .*?)```", TEXT, re.DOTALL)[1]
    (tuned,) = re.findall(r"^tuned agent +(\S+)$", shown, re.MULTILINE)
    plan = Tuning("treelings", "greedy", players=3, seed=1)
    seed, num_blocks = plan.confirm_seed, plan.confirm_blocks
    results = ex.tournament(
        "treelings", [tuned, "greedy"], players=3, blocks=num_blocks, seed=seed, n_jobs=2
    )
    found = measures(results, tuned, "greedy")
    (line,) = re.findall(r"^tuned against given +(.*)$", shown, re.MULTILINE)
    assert (
        line.split()
        == (
            f"{100 * found['share']:.1f} % "
            f"{100 * found['share_low']:.1f} - {100 * found['share_high']:.1f} "
            f"{found['margin']:+.2f} {found['margin_low']:+.2f} to {found['margin_high']:+.2f}"
        ).split()
    )


@pytest.mark.parametrize("name", [*SHIPPED, *KINDS])
def test_every_game_and_agent_has_a_row(name):
    assert f"| `{name}` |" in TEXT


def test_every_parameter_of_an_agent_is_named():
    for kind in KINDS.values():
        assert all(f"`{parameter.name}`" in TEXT for parameter in kind.parameters)


def test_every_column_of_the_results_is_named():
    results = ex.tournament("connect_four", ["random"], blocks=1)
    listed = re.search(r"per match: `([^`]+)`", TEXT)[1]
    assert [name.strip() for name in listed.split(",")] == list(results.columns)
