"""Specs, labels and parameters of agents."""

import pickle

import pytest

import sim
from agents import KINDS, resolve
from agents.play import MAX_WEIGHTS
from sim.game import find_definition

TREELINGS = sim.load("treelings", players=3)


@pytest.mark.parametrize(
    ("spec", "label"),
    [
        ("random", "random"),
        ("greedy", "greedy"),
        (" greedy ", "greedy"),
        ("greedy:best_rival=-1", "greedy:best_rival=-1"),
        ("mcts", "mcts:simulations=1000,exploration=0.7"),
        ("mcts:simulations=50", "mcts:simulations=50,exploration=0.7"),
        ("mcts:exploration=1,simulations=50", "mcts:simulations=50,exploration=1"),
        ("mcts:seconds=0.25", "mcts:seconds=0.25,exploration=0.7,nodes=1048576"),
        ("mcts:simulations=9,nodes=5", "mcts:simulations=9,exploration=0.7,nodes=5"),
    ],
)
def test_the_label_is_the_spec_with_all_effective_parameters(spec, label):
    assert resolve(spec, TREELINGS).label == label


@pytest.mark.parametrize("spec", ["random", "greedy:score=3", "mcts:seconds=0.25", "mcts:nodes=7"])
def test_a_label_is_a_spec_of_the_same_agent(spec):
    agent = resolve(spec, TREELINGS)
    again = resolve(agent.label, TREELINGS)
    assert again.label == agent.label
    assert again.row == agent.row
    assert again.parameters == agent.parameters


def test_weights_come_from_the_game_and_can_be_changed_by_name():
    definition = TREELINGS.definition
    plain = resolve("greedy", TREELINGS)
    assert plain.row.weights[: len(definition.weights)].tolist() == list(definition.weights)
    changed = resolve("greedy:cards=7", TREELINGS)
    place = definition.feature_names.index("cards")
    assert changed.row.weights[place] == 7
    assert changed.parameters["cards"] == 7
    assert changed.parameters["score"] == plain.parameters["score"]


def test_every_game_has_room_for_its_weights():
    for name in sim.known_games():
        assert len(find_definition(name).feature_names) <= MAX_WEIGHTS


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mtcs", r"unknown agent 'mtcs'; did you mean mcts\? known: greedy, mcts, random"),
        ("", r"unknown agent ''; known: greedy, mcts, random"),
        (
            "mcts:simulation=5",
            r"did you mean simulations\? known: .*exploration, greed, horizon, .*nodes",
        ),
        ("mcts:simulations=0", r"simulations=0 is not accepted; .* whole numbers 1 to 1000000000"),
        ("mcts:simulations=-3", r"simulations=-3 is not accepted"),
        ("mcts:simulations=1.5", r"simulations=1.5 is not accepted"),
        ("mcts:simulations=many", r"simulations=many is not accepted"),
        ("mcts:simulations", r"simulations needs a value"),
        ("mcts:simulations=", r"simulations= is not accepted"),
        ("mcts:seconds=0", r"seconds=0 is not accepted; accepted: numbers 0.0001 to 3600"),
        ("mcts:seconds=nan", r"seconds=nan is not accepted"),
        ("mcts:exploration=inf", r"exploration=inf is not accepted"),
        ("mcts:exploration=-1", r"exploration=-1 is not accepted"),
        ("mcts:nodes=1", r"nodes=1 is not accepted; accepted: whole numbers 2 to"),
        ("mcts:seconds=1,simulations=5", r"give simulations or seconds, not both"),
        ("mcts:simulations=5,simulations=6", r"simulations is given twice"),
        ("mcts:cards=1", r"mcts: cards has no effect without horizon, greed or prior"),
        ("mcts:softness=1", r"mcts: softness has no effect without horizon or margin"),
        ("mcts:greed=1,softness=1", r"mcts: softness has no effect without horizon or margin"),
        ("random:seed=1", r"unknown parameter of random 'seed'; known: none"),
        ("greedy:scores=1", r"unknown parameter of greedy 'scores'; did you mean score\?"),
        ("greedy:score=nan", r"score=nan is not accepted"),
    ],
)
def test_a_wrong_spec_is_refused_and_the_right_ones_are_named(spec, message):
    with pytest.raises(ValueError, match=message):
        resolve(spec, TREELINGS)


@pytest.mark.parametrize("thing", [None, 5, object(), lambda view, legal, rng: 0, ["random"]])
def test_what_has_no_choose_is_no_agent(thing):
    with pytest.raises(TypeError, match="is not an agent; accepted: a spec string, or a class"):
        resolve(thing, TREELINGS)


BOTS = """
class Hoarder:
    def choose(self, view, legal, rng):
        return legal[0]

class NoBot:
    pass
"""


def test_a_class_in_a_file_is_an_agent(tmp_path):
    file = tmp_path / "mybots.py"
    file.write_text(BOTS)
    agent = resolve(f"{file}:Hoarder", TREELINGS)
    assert agent.label == f"{file}:Hoarder"
    assert not agent.is_compiled
    assert agent.make().choose(None, [3], None) == 3
    assert pickle.loads(pickle.dumps(agent)).make().choose(None, [3], None) == 3


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("{file}:Horder", r"unknown agent in .*'Horder'; did you mean|known: Hoarder"),
        ("{file}:NoBot", r"known: Hoarder"),
        ("{file}", r"names no class; accepted: file.py:Class"),
        ("{folder}/none.py:Hoarder", r"there is no file '.*none.py'"),
        ("{folder}/broken.py:Hoarder", r"broken.py cannot be imported: .*made up"),
        ("no.such.module:Hoarder", r"module 'no.such.module' cannot be imported"),
    ],
)
def test_a_class_that_cannot_be_found_is_told(tmp_path, spec, message):
    (tmp_path / "mybots.py").write_text(BOTS)
    (tmp_path / "broken.py").write_text("raise RuntimeError('made up')")
    spec = spec.format(file=tmp_path / "mybots.py", folder=tmp_path)
    with pytest.raises(ValueError, match=message):
        resolve(spec, TREELINGS)


def test_every_kind_says_what_it_does_and_every_parameter_what_it_means():
    assert sorted(KINDS) == ["greedy", "mcts", "random"]
    for kind in KINDS.values():
        assert kind.help
        for parameter in kind.parameters:
            assert parameter.help
            assert parameter.low < parameter.high


def test_each_parameter_reaches_the_compiled_agent():
    rows = {
        spec: resolve(spec, TREELINGS).row
        for spec in (
            "mcts:simulations=5",
            "mcts:simulations=6",
            "mcts:simulations=5,exploration=2",
            "mcts:simulations=5,nodes=3",
            "mcts:seconds=1",
            "mcts:simulations=5,horizon=4",
            "mcts:simulations=5,greed=0.5",
            "mcts:simulations=5,horizon=4,softness=2",
            "mcts:simulations=5,horizon=4,score=9",
        )
    }
    assert rows["mcts:simulations=6"].simulations == 6
    assert rows["mcts:simulations=5,exploration=2"].exploration == 2
    assert rows["mcts:simulations=5,nodes=3"].nodes == 3
    assert rows["mcts:seconds=1"].seconds == 1
    assert rows["mcts:seconds=1"].simulations == 0
    assert rows["mcts:simulations=5,greed=0.5"].greed == 0.5
    assert rows["mcts:simulations=5,horizon=4,softness=2"].softness == 2
    assert rows["mcts:simulations=5,horizon=4,score=9"].weights[0] == 9
    assert len({row.tobytes() for row in rows.values()}) == 9
