"""Who sits together, in which seats, from which seeds: known before anything is played."""

import itertools
from collections import Counter
from math import comb, factorial

import numpy as np
import pytest

import experiments as ex
import sim
from experiments.schedules import FORMATS, LineUp, Schedule, block_seeds, line_ups, seatings
from experiments.tournaments import Tournament

every_size = pytest.mark.parametrize("players", range(2, 6))
every_pool = pytest.mark.parametrize("num_agents", range(1, 7))


def sitting(found, seats="rotations"):
    """How often each agent sits in each seat when every line-up plays a block."""
    return Counter(
        (agent, seat)
        for line_up in found
        for match in seatings(line_up, seats)
        for seat, agent in enumerate(match)
    )


def have_no_rotation_in_common(found):
    rotations = [set(seatings(line_up)) for line_up in found]
    return not any(one & other for one, other in itertools.combinations(rotations, 2))


# Line-ups -----------------------------------------------------------------------------------------


@every_pool
@every_size
@pytest.mark.parametrize("seats", ["rotations", "permutations"])
def test_in_a_round_robin_everybody_sits_in_every_seat_equally_often(num_agents, players, seats):
    found = line_ups("abcdef"[:num_agents], players)
    assert {len(line_up) for line_up in found} == {players}
    seated = sitting(found, seats)
    assert len(seated) == num_agents * players
    assert len(set(seated.values())) == 1


@every_pool
@every_size
def test_no_line_up_is_a_rotation_of_another(num_agents, players):
    agents = "abcdef"[:num_agents]
    assert have_no_rotation_in_common(line_ups(agents, players))
    assert have_no_rotation_in_common(line_ups(agents, players, self_play=True))
    if num_agents > 1:
        assert have_no_rotation_in_common(line_ups(agents, players, "gauntlet"))


def test_more_agents_than_seats_meet_in_every_choice():
    found = line_ups("abcd", 3)
    assert sorted(found) == sorted(itertools.combinations("abcd", 3))


def test_as_many_agents_as_seats_make_one_line_up():
    assert line_ups(["x", "y", "z"], 3) == [("x", "y", "z")]


def test_one_agent_fills_all_seats():
    assert line_ups(["x"], 4) == [("x",) * 4]


@every_pool
@every_size
def test_with_self_play_every_choice_with_repeats_sits_down_once(num_agents, players):
    found = line_ups("abcdef"[:num_agents], players, self_play=True)
    assert len({tuple(sorted(line_up)) for line_up in found}) == len(found)
    assert len(found) == comb(num_agents + players - 1, players)


@every_pool
@every_size
def test_in_a_gauntlet_the_first_meets_every_choice_of_the_others(num_agents, players):
    if num_agents == 1:
        return
    first, *others = "abcdef"[:num_agents]
    found = line_ups([first, *others], players, "gauntlet")
    assert all(line_up.count(first) == 1 for line_up in found)
    if len(others) >= players - 1:
        fields = {frozenset(line_up) - {first} for line_up in found}
        assert len(fields) == len(found) == comb(len(others), players - 1)
    met = Counter(agent for line_up in found for agent in line_up if agent != first)
    assert set(met) == set(others)
    assert len(set(met.values())) == 1


def test_in_a_mirror_everybody_plays_himself():
    assert line_ups("ab", 3, "mirror") == [("a",) * 3, ("b",) * 3]


def test_fixed_agents_sit_as_they_are_given():
    assert line_ups("aba", 3, "fixed") == [("a", "b", "a")]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("ab", 3, "fixed"), "an agent for each of the 3 seats, got 2"),
        (("a", 2, "gauntlet"), "two agents"),
        (("ab", 2, "swiss"), "round-robin, gauntlet, fixed, mirror"),
        (("ab", 2, "mirror", True), "self-play belongs to the format round-robin, not to mirror"),
    ],
)
def test_what_makes_no_line_up_is_refused(arguments, words):
    with pytest.raises(ValueError, match=words):
        line_ups(*arguments)


def test_every_format_is_explained_to_the_user():
    assert set(FORMATS) == {"round-robin", "gauntlet", "fixed", "mirror"}


# Seatings -----------------------------------------------------------------------------------------


def test_in_each_rotation_everybody_moves_on_by_a_seat():
    assert seatings("abc") == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]


def test_rotations_that_repeat_are_not_played_twice():
    for line_up, number in {"abc": 3, "aab": 3, "abab": 2, "aabb": 4, "aaaa": 1}.items():
        assert len(seatings(line_up)) == number


@pytest.mark.parametrize("line_up", ["ab", "abc", "abcd", "aab", "aabb", "aaa"])
def test_permutations_are_all_orders_once(line_up):
    found = seatings(line_up, "permutations")
    assert found[0] == tuple(line_up)
    assert len(set(found)) == len(found)
    repeats = np.prod([factorial(n) for n in Counter(line_up).values()])
    assert len(found) == factorial(len(line_up)) / repeats


def test_other_seats_are_refused():
    with pytest.raises(ValueError, match="rotations, permutations"):
        seatings("ab", "random")


# Seeds --------------------------------------------------------------------------------------------


def test_many_block_seeds_and_those_of_neighbouring_tournaments_are_all_distinct():
    seeds = np.zeros((4, 5000), np.int64)
    for seed in range(4):
        block_seeds(seed, np.arange(5000), seeds[seed])
    assert len(np.unique(seeds)) == seeds.size
    assert (seeds >= 0).all()


def test_block_seeds_do_not_depend_on_where_a_piece_starts():
    plan = Schedule([LineUp(0, ((0, 1), (1, 0)), 0, 1)], 20, 7)
    assert plan.seeds(range(15, 20)).tolist() == plan.seeds(range(20))[15:].tolist()


def test_the_rows_before_a_block_are_those_of_all_blocks_before_it():
    sitting = [((0, 1), (1, 0)), ((0, 1, 2),), ((2, 3), (3, 2))]
    plan = Schedule([LineUp(0, seatings, i, 3) for i, seatings in enumerate(sitting)], 12, 7)
    for block in range(13):
        rows = plan.rows(range(12), plan.seeds(range(12)))
        assert plan.rows_before(block) == (rows["block"] < block).sum()


def test_all_blocks_of_one_rule_set_have_seeds_of_their_own():
    found = ex.schedule("connect_four", ["random", "greedy", "mcts"], blocks=9, self_play=False)
    assert found.groupby("block").seed.nunique().eq(1).all()
    assert found.seed.nunique() == 9


def test_rule_sets_meet_the_seeds_of_each_other():
    rules = [sim.load("treelings", players=2, max_turns=turns) for turns in (50, 60)]
    found = ex.schedule(rules, ["random", "greedy", "mcts"], blocks=12)
    one, other = (rows for _, rows in found.groupby("variant"))
    columns = ["seed", "seat_1", "seat_2"]
    assert one[columns].reset_index(drop=True).equals(other[columns].reset_index(drop=True))
    assert one.seed.nunique() == 6


# The schedule -------------------------------------------------------------------------------------


def test_the_schedule_is_what_is_played():
    how = {"players": [2, 3], "self_play": True, "seats": "permutations", "blocks": 14, "seed": 5}
    found = ex.schedule("treelings", ["random", "greedy"], **how)
    results = ex.tournament("treelings", ["random", "greedy"], **how)
    assert found.match.tolist() == list(range(len(found))) == sorted(set(results.match))
    for match, rows in results.groupby("match"):
        row = found.loc[match]
        players = int(rows.seat.max())
        assert rows.players.eq(players).all()
        assert row.players == players
        assert (row.block, row.seed) == (rows.block.iloc[0], rows.seed.iloc[0])
        assert rows.agent.tolist() == [row[f"seat_{seat}"] for seat in range(1, players + 1)]
    assert found[found.players == 2].seat_3.isna().all()


def test_line_ups_take_turns_and_all_play_as_many_blocks():
    plan = Tournament("treelings", ["random", "greedy"], players=[2, 3], self_play=True, blocks=21)
    sizes = [len(line_up.seatings) for line_up in plan.schedule.line_ups]
    assert sizes == [1, 2, 1, 1, 3, 3, 1]
    found = plan.table_of_matches()
    assert found.groupby("block").size().tolist() == sizes * 3
    assert plan.matches == len(found) == 3 * sum(sizes)
    assert plan.schedule.num_matches(range(8)) == sum(sizes) + sizes[0]
    assert plan.schedule.num_matches([]) == 0


@pytest.mark.parametrize("first", [0, 1, 5])
def test_the_rows_of_some_blocks_are_those_of_the_whole(first):
    plan = Tournament("treelings", ["random", "greedy"], players=[2, 3], self_play=True, blocks=14)
    seeds = plan.schedule.seeds(range(14))
    whole = plan.schedule.rows(range(14), seeds)
    part = plan.schedule.rows(range(first, first + 4), seeds[first : first + 4])
    inside = (whole["block"] >= first) & (whole["block"] < first + 4)
    for name, values in part.items():
        assert values.tolist() == whole[name][inside].tolist()


def test_blocks_of_unequal_line_ups_are_counted_in_whole_rounds():
    agents = ["random", "greedy"]
    plan = Tournament("treelings", agents, players=2, self_play=True, matches=12)
    assert (plan.blocks, plan.matches) == (9, 12)
    with pytest.raises(ValueError, match="3 line-ups with 4 seatings need a multiple of 4"):
        Tournament("treelings", agents, players=2, self_play=True, matches=13)
    with pytest.raises(ValueError, match="multiple of 3, such as 9 or 12"):
        Tournament("treelings", agents, players=2, self_play=True, blocks=10)


def test_an_agent_twice_is_a_line_up_of_its_own_or_refused():
    plan = Tournament("treelings", ["random", "greedy", "random"], players=3)
    assert [line_up.seatings[0] for line_up in plan.schedule.line_ups] == [(0, 1, 0)]
    for how in ({"format": "gauntlet"}, {"format": "mirror"}, {"self_play": True}):
        with pytest.raises(ValueError, match="given twice: random, greedy, random"):
            Tournament("treelings", ["random", "greedy", "random"], players=3, **how)


@pytest.mark.parametrize(
    ("game", "players", "words"),
    [
        ([], None, "one or more"),
        ("treelings", [], "one or more"),
        (["treelings", "connect_four"], 2, "accepted: rules of one game"),
        ("treelings", [2, 2], "given twice"),
        (["treelings", "treelings"], None, "given twice"),
    ],
)
def test_games_that_make_no_tournament_are_refused(game, players, words):
    with pytest.raises(ValueError, match=words):
        Tournament(game, ["random"], players=players)


def test_each_rule_set_is_called_by_what_differs():
    rules = [sim.load("treelings"), sim.load("treelings", max_turns=50)]
    results = ex.tournament(rules, ["random"], blocks=2)
    assert list(results.variant.cat.categories) == ["as published", "max_turns=50"]
    assert (results[results.variant == "max_turns=50"].rules_hash == rules[1].rules_hash).all()
