"""The same tests in other lanes: as plain Python, and compiled with bounds checks."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LANES = {"plain Python": {"NUMBA_DISABLE_JIT": "1"}, "bounds checks": {"NUMBA_BOUNDSCHECK": "1"}}
TESTS = {
    "plain Python": ["-m", "not compiled_only"],
    # what plays the most games is about rules or chance, and plays no others than the rest
    "bounds checks": [
        "-k",
        "not under_every and not many_options and not printed_figures and not cannot_see",
    ],
}

PLAY = """
import json, sys
sys.path.insert(0, "tests/readings")
from games_under_test import SHIPPED, variants
import sim
from sim.game import find_definition
largest = [  # not to the end: judgements of whole matches take many minutes in plain Python
    sim.load(name, players=find_definition(name).players[-1]).variant(max_turns=40)
    for name in SHIPPED
]
from agents import resolve, stepwise
specs = ["greedy", "mcts:simulations=2,horizon=2", "random"]
played = {}
for game in largest + variants():
    num_specs = 3 if game in largest else 1
    agents = [resolve(specs[-1 - i % num_specs], game) for i in range(game.players)]
    record, outcomes, _ = stepwise.play_match(game, agents, seed=5)
    played[repr(game)] = [record.actions, record.scores, record.ranks, outcomes["utility"].tolist()]
print(json.dumps(played))
"""


def run(lane, *command):
    done = subprocess.run(
        [sys.executable, *command], cwd=ROOT, env=os.environ | lane, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    return done.stdout


@pytest.mark.parametrize("lane", LANES)
def test_all_tests_of_games_and_agents_pass_with(lane):
    printed = run(LANES[lane], "-m", "pytest", "tests/sim", "tests/agents", *TESTS[lane])
    assert " passed" in printed
    assert "failed" not in printed


def test_every_lane_plays_the_same_matches():
    compiled = json.loads(run({}, "-c", PLAY))
    assert len(compiled) > 10
    for name, lane in LANES.items():
        assert json.loads(run(lane, "-c", PLAY)) == compiled, name
