"""The worked examples, invariants, options and tables of the rules text (by its sections)."""

import itertools

import numpy as np
import pytest
from numba import config

import sim
from sim import playouts
from sim.games.welkin.components import (
    AFTER,
    BEFORE,
    BETWEEN,
    DONE,
    EFFECT_NAMES,
    END_TURN,
    FLIP,
    FLIP_CHIP,
    NO_FLIP,
    NUM_SETS,
    OPEN,
    OPTIONS,
    PER_PLACE,
    PLACE,
    PRODUCE,
    RESOURCE_NAMES,
    RETURN,
    RETURNING,
    SCORE,
    STOP,
    SWAP_WIDTH,
    TAKE,
    TAKING,
    TURN_CHIPS,
    USE_GAIN,
    USE_RETOOL,
    USE_SWAP,
    USE_THIRD,
)
from sim.records import CAPPED, FINISHED, GOES_ON, NONE

RESOURCES = "PEAMG"  # plant, elemental, animal, metal, gem
M0 = "PPMGAEGAGM"  # the reference market: what T01 to T10 show
OPEN_PLACES = range(OPEN, PRODUCE)
EFFECTS = range(USE_THIRD, OPEN)
GAINS = range(USE_GAIN, USE_SWAP)
PLACINGS = range(PLACE, SCORE)


# Positions ----------------------------------------------------------------------------------------


def position(
    players=2,
    *,
    game=None,
    seed=1,
    market=M0,
    stock="",
    sites=None,
    plus="",
    coins=3,
    effects="",
    face_up=(),
    pile=None,
    **options,
):
    """A game, and a position of it in which seat 0 begins a turn and owns all this.

    `sites` says what lies on each site, in small letters what lies on wild spots. `face_up` names
    the first sites that lie open. With few sites left in the `pile`, seat 1 has finished the rest.
    """
    game = game or sim.load("welkin", players=players, **options)
    rules, state = game.rules, game.new(seed)
    if market:
        show(game, state, market)
    state.coins[0] = coins
    state.plus[0] = set_of(plus)
    state.stock[0] = counts(stock)
    state.site_limit[0] = max(state.site_limit[0], len(sites or {}))
    for i, (name, tokens) in enumerate((sites or {}).items()):
        s = number("sites", name, game)
        state.site[0, i] = s
        state.on_own[0, i] = counts(tokens)
        state.on_wild[0, i] = counts(tokens.swapcase())
        state.num_left[0, i] = rules.site_size[s] - len(tokens)
    state.supply -= state.stock[0] + (state.on_own[0] + state.on_wild[0]).sum(axis=0)
    for name in effects.split():
        state.effects[0, EFFECT_NAMES.index(name)] += 1
    held = [number("sites", name, game) for name in sites or {}]
    up = [number("sites", name, game) for name in face_up]
    others = [s for s in state.deck[: rules.num_sites].tolist() if s not in held + up]
    up, others = up + others[: 5 - len(up)], others[5 - len(up) :]
    num_finished = 0 if pile is None else int(rules.num_cards) - pile - 5 - len(held)
    state.deck[: rules.num_sites] = held + others[:num_finished] + up + others[num_finished:]
    state.num_drawn = len(held) + num_finished + 5
    state.num_finished[1] = num_finished
    state.face_up[:] = up
    return game, state


def show(game, state, market):
    """The trade chips show these resources."""
    sides = game.rules.chip_side[: game.rules.num_chips].tolist()
    shown = [RESOURCES.index(letter) for letter in market]
    state.side[: len(sides)] = [pair.index(r) for pair, r in zip(sides, shown, strict=True)]
    state.value[:] = np.bincount(shown, minlength=5)


def number(table, name, game):
    return game.component_names(table).index(name)


def counts(tokens):
    return [tokens.count(letter) for letter in RESOURCES]


def tokens_of(numbers):
    return "".join(letter * n for letter, n in zip(RESOURCES, numbers, strict=True))


def set_of(letters):
    return sum(1 << RESOURCES.index(letter) for letter in letters)


def held(state, p=0):
    return [int(s) for s in state.site[p] if s != NONE]


# Actions: lists, since most take several steps ----------------------------------------------------


def flip(*chips):
    return [FLIP_CHIP + int(chip[1:]) - 1 for chip in chips]


def turn(letters):
    return [PRODUCE, TURN_CHIPS + set_of(letters) - 1]


def take(tokens):
    return [TAKE + RESOURCES.index(letter) for letter in tokens]


def give_back(tokens):
    return [RETURN + RESOURCES.index(letter) for letter in tokens]


def put(place, tokens):
    """Tokens on the site at a place, in small letters on its wild spots."""
    first = PLACE + PER_PLACE * place
    return [first + 2 * RESOURCES.index(x.upper()) + x.islower() for x in tokens]


def swap(tokens):
    first, second = ([*map(RESOURCES.index, tokens), 5])[:2]
    return [USE_SWAP + SWAP_WIDTH * first + second]


def gain(letter):
    return [USE_GAIN + RESOURCES.index(letter)]


def play(game, state, *actions):
    for action in itertools.chain(*(a if isinstance(a, list) else [a] for a in actions)):
        game.apply(state, action)


def pass_by(game, state):
    """The player to move produces as little as he can."""
    turn_before = state.turn
    play(game, state, PRODUCE)
    while state.turn == turn_before:
        play(game, state, game.legal(state)[0])


def next_turn(game, state):
    """Seat 0 ends its turn, and the others pass by."""
    play(game, state, END_TURN)
    while state.to_move:
        pass_by(game, state)


def legal(game, state, kind):
    """The legal actions of a kind, a range or a list of numbers."""
    return [a for a in game.legal(state).tolist() if a in kind]


def walk(game, state, action):
    """Play an action and then on until the effects after it; each position as often as reached."""
    found, open_states = [], [(state, [action])]
    while open_states:
        here, actions = open_states.pop()
        for a in actions:
            after = game.copy(here)
            game.apply(after, a)
            if after.phase in (BEFORE, AFTER):
                found.append(after)
            else:
                open_states.append((after, game.legal(after).tolist()))
    return found


def productions(game, state):
    """Chips that show "+1" and the stock after every way to produce, once for each way."""
    ends = walk(game, state, PRODUCE)
    return [(int(end.plus[0]), tokens_of(end.stock[0])) for end in ends]


def stocks_after(game, state, *actions):
    """Every stock that playing on can lead to."""
    *first, last = itertools.chain(*actions)
    play(game, state, first)
    return {tokens_of(end.stock[0]) for end in walk(game, state, last)}


def multisets(types, n):
    return {"".join(tokens) for tokens in itertools.combinations_with_replacement(types, n)}


# 4 Worked examples: what a site pays --------------------------------------------------------------


@pytest.mark.parametrize(
    ("site", "tokens", "market", "paid"),
    [
        pytest.param("W01", "PPE", M0, 5, id="ex01"),
        *(
            pytest.param("W11", f"P{x}A" if x in "pe" else f"PA{x}", M0, paid, id=f"ex02-{x}")
            for x, paid in [("g", 7), ("p", 6), ("a", 6), ("m", 6), ("e", 5)]
        ),
        pytest.param("W05", "PGG", "PPMPAEEAAM", 3, id="ex05"),
        pytest.param("W20", "AGG", M0, 8, id="ex15"),
    ],
)
def test_a_complete_site_pays_for_each_token_the_chips_that_show_it(site, tokens, market, paid):
    """The wild spot pays for the resource that lies on it."""
    game, state = position(sites={site: ""}, stock=tokens.upper(), market=market, coins=0)
    play(game, state, put(0, tokens))
    assert state.coins[0] == 0
    play(game, state, DONE)
    assert state.coins[0] == paid
    assert held(state) == []
    assert state.num_finished[0] == 1
    assert state.supply.tolist() == [15] * 5


@pytest.mark.parametrize(
    ("chip", "values", "paid"),
    [
        ("T07", [2, 2, 2, 2, 2], 6),
        ("T03", [3, 1, 2, 1, 3], 7),
        ("T04", [3, 1, 2, 2, 2], 7),
        ("T09", [2, 1, 3, 2, 2], 5),
    ],
)
def test_a_chip_turned_over_before_the_action_changes_what_it_pays(chip, values, paid):
    """ex03."""
    game, state = position(sites={"W01": "PP"}, stock="E", effects="FLIP", coins=0)
    play(game, state, flip(chip))
    assert state.value.tolist() == values
    assert state.effects[0].sum() == 0
    assert legal(game, state, EFFECTS) == []
    play(game, state, put(0, "E"), DONE)
    assert state.coins[0] == paid


def test_two_flips_are_worth_five_coins_on_a_large_site():
    """ex04."""
    game, state = position(sites={"W36": "PPPA"}, stock="M", effects="FLIP FLIP", coins=0)
    paid = {}
    chips = game.component_names("trade_chips")
    for n in range(3):
        for turned in itertools.combinations_with_replacement(chips, n):
            end = game.copy(state)
            play(game, end, flip(*turned), put(0, "M"), DONE)
            paid[turned] = int(end.coins[0])
    assert paid[()] == 10
    singles = {turned[0]: coins for turned, coins in paid.items() if len(turned) == 1}
    assert [singles[chip] for chip in ("T04", "T03", "T06", "T09", "T02")] == [13, 12, 11, 11, 8]
    assert [chip for chip in singles if singles[chip] == max(singles.values())] == ["T04"]
    assert [turned for turned in paid if paid[turned] >= 15] == [("T03", "T04")]
    assert paid["T03", "T04"] == 15


def test_one_of_each_pays_ten_in_any_market():
    """ex06."""
    for seed in range(20):
        game, state = position(sites={"W46": "PEAM"}, stock="G", market=None, coins=0, seed=seed)
        play(game, state, put(0, "G"), DONE)
        assert state.coins[0] == 10


# 4 Worked examples: production --------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plus", "coins", "turned", "coins_left", "stocks"),
    [
        pytest.param("", 3, "P", 3, multisets("EAMG", 1), id="ex07"),
        pytest.param("", 3, "PE", 2, multisets("AMG", 2), id="ex08"),
        pytest.param("", 3, "PEAM", 0, {"GGGG"}, id="ex09"),
        pytest.param("", 4, "PEAMG", 0, {""}, id="ex10"),
        pytest.param("PE", 0, "A", 0, multisets("MG", 3), id="ex12-A"),
        pytest.param("PE", 0, "P", 0, multisets("PAMG", 1), id="ex12-P"),
        *(pytest.param("PEAMG", 0, x, 0, {4 * x}, id=f"ex13-{x}") for x in RESOURCES),
        pytest.param("P", 0, "P", 0, {""}, id="none shows"),
    ],
)
def test_each_plus_gives_a_token_of_any_types_that_show_and_the_first_flip_is_free(
    plus, coins, turned, coins_left, stocks
):
    game, state = position(plus=plus, coins=coins)
    ends = walk(game, game.copy(state), PRODUCE)
    ends = [end for end in ends if end.plus[0] == set_of(plus) ^ set_of(turned)]
    assert {tokens_of(end.stock[0]) for end in ends} == stocks
    assert {int(end.coins[0]) for end in ends} == {coins_left}
    assert all((end.supply + end.stock[0] == 15).all() for end in ends)


@pytest.mark.parametrize("coins", range(5))
def test_every_flip_after_the_first_must_be_paid(coins):
    """ex10: five flips are illegal with 3 coins."""
    game, state = position(coins=coins)
    play(game, state, PRODUCE)
    sets = [a - TURN_CHIPS + 1 for a in game.legal(state).tolist()]
    assert sets == [s for s in range(1, NUM_SETS) if s.bit_count() - 1 <= coins]


@pytest.mark.parametrize(
    ("plus", "coins", "num_choices"),
    [
        *(
            pytest.param("", coins, n, id=f"ex11-{coins}")
            for coins, n in enumerate([20, 80, 120, 125, 126])
        ),
        pytest.param("PE", 0, 20, id="ex12-0"),
        pytest.param("PE", 1, 60, id="ex12-1"),
        pytest.param("PEAMG", 0, 5, id="ex13"),
    ],
)
def test_every_choice_of_chips_and_tokens_is_reached_by_one_sequence_of_steps(
    plus, coins, num_choices
):
    found = productions(*position(plus=plus, coins=coins))
    assert len(set(found)) == num_choices
    assert len(found) == num_choices


def test_what_the_stock_cannot_hold_is_returned_by_choice():
    """ex14."""
    game, state = position(stock="GGA", plus="PE")
    after = game.copy(state)
    play(game, after, turn("A"), take("MGG"))
    assert (after.phase, tokens_of(after.stock[0])) == (RETURNING, "AMGGGG")
    ends = stocks_after(game, game.copy(after), give_back("A"), give_back("M"))
    assert ends == {"GGGG"}
    assert stocks_after(game, after, give_back("G")) == {"AMGG"}  # the order is P E A M G
    ends = stocks_after(game, state, turn("A"))
    assert ends == {x for x in multisets("AMG", 4) if x.count("A") <= 1 and x.count("M") <= 3}


def test_truncate_takes_only_what_the_stock_can_hold():
    """ex14."""
    game, state = position(stock="GGA", plus="PE", overflow="truncate")
    assert stocks_after(game, game.copy(state), turn("A")) == {"AMGG", "AGGG"}
    game, state = position(stock="GGAA", plus="PE", overflow="truncate")
    play(game, state, turn("A"))
    assert (state.phase, tokens_of(state.stock[0])) == (AFTER, "AAGG")


# 4 Worked examples: using resources ---------------------------------------------------------------


def two_sites(**options):
    sites = {"W01": "E", "W20": "AG"}
    return position(sites=sites, stock="PPGM", coins=0, **options)


def test_two_sites_completed_together_are_scored_without_an_effect_between_them():
    """ex15."""
    game, state = two_sites()
    for action in put(0, "PP") + put(1, "G"):
        play(game, state, action)
        assert set(game.legal(state).tolist()) <= {DONE, *PLACINGS}
        assert state.coins[0] == 0
    play(game, state, DONE)
    assert state.phase == AFTER
    assert state.coins[0] == 13
    assert tokens_of(state.stock[0]) == "M"
    assert legal(game, state, EFFECTS) == flip(*game.component_names("trade_chips"))
    play(game, state, flip("T03"))
    assert state.value.tolist() == [3, 1, 2, 1, 3]
    assert state.coins[0] == 13


def test_a_single_token_may_be_placed_and_stays_until_the_site_is_complete():
    """ex16."""
    game, state = two_sites()
    play(game, state, put(0, "P"), DONE)
    assert state.coins[0] == 0
    assert tokens_of(state.stock[0]) == "PMG"
    assert tokens_of(state.on_own[0, 0]) == "PE"
    next_turn(game, state)
    play(game, state, put(0, "P"), DONE)
    assert state.coins[0] == 5
    assert tokens_of(state.on_own[0, 1]) == "AG"


def test_without_a_token_that_fits_resources_cannot_be_used():
    """ex17."""
    game, state = position(stock="M", sites={"W01": "", "W20": ""})
    assert legal(game, state, PLACINGS) == []
    game, state = position(stock="M", sites={"W01": "", "W14": "Mp"})
    assert legal(game, state, PLACINGS) == []
    game, state = position(stock="M", sites={"W01": "", "W14": ""})
    assert legal(game, state, PLACINGS) == put(1, "Mm")  # wild while its own spot is open


# 4 Worked examples: special effects ---------------------------------------------------------------


def test_third_allows_a_third_site_until_one_is_completed():
    """ex18."""
    sites = {"W01": "PP", "W20": ""}
    game, state = position(sites=sites, stock="E", effects="THIRD", face_up=["W46"])
    assert legal(game, state, OPEN_PLACES) == []
    play(game, state, USE_THIRD)
    assert legal(game, state, [USE_THIRD]) == []
    assert legal(game, state, OPEN_PLACES) == [*OPEN_PLACES]
    play(game, state, OPEN, NO_FLIP)
    assert len(held(state)) == 3
    next_turn(game, state)
    assert legal(game, state, OPEN_PLACES) == []
    play(game, state, put(0, "E"), DONE)
    next_turn(game, state)
    assert len(held(state)) == 2
    assert legal(game, state, OPEN_PLACES) == []


def test_third_stays_while_fewer_than_three_sites_are_held():
    game, state = position(sites={"W01": "PP", "W20": ""}, stock="E", effects="THIRD THIRD")
    play(game, state, USE_THIRD, put(0, "E"), DONE)
    assert state.site_limit[0] == 3
    assert legal(game, state, [USE_THIRD]) == []
    sites = {"W01": "PP", "W20": "GG", "W46": ""}  # two completed at once out of three
    game, state = position(sites=sites, stock="EA", effects="THIRD")
    play(game, state, put(0, "E"), put(1, "A"), DONE)
    assert (len(held(state)), state.site_limit[0]) == (1, 2)
    assert legal(game, state, [USE_THIRD]) == [USE_THIRD]


def test_gain_takes_one_token_when_the_stock_has_room():
    """ex19."""
    game, state = position(stock="PPEG", effects="GAIN")
    assert legal(game, state, EFFECTS) == []
    game, state = position(stock="PEG", effects="GAIN")
    state.supply[1] = 0
    assert legal(game, state, GAINS) == [*gain("P"), *gain("A"), *gain("M"), *gain("G")]
    play(game, state, gain("M"))
    assert tokens_of(state.stock[0]) == "PEMG"
    assert state.phase == BEFORE


def test_swap_returns_one_or_two_tokens_and_takes_as_many():
    """ex20."""
    game, state = position(stock="PPEG", effects="SWAP")
    assert legal(game, state, EFFECTS) == sorted(
        a for pair in ("P", "E", "G", "PP", "PE", "PG", "EG") for a in swap(pair)
    )
    two = game.copy(state)
    play(game, two, swap("PP"))
    assert [tokens_of(two.stock[0]), two.supply[0]] == ["EG", 15]
    play(game, two, take("MM"))
    assert tokens_of(two.stock[0]) == "EMMG"
    assert (two.phase, two.effects[0].sum()) == (BEFORE, 0)
    ends = stocks_after(game, game.copy(state), swap("PE"))
    assert ends == {tokens_of(counts("PG" + x)) for x in multisets(RESOURCES, 2)}
    state.supply[0] = 0
    ends = stocks_after(game, game.copy(state), swap("P"))  # the one returned may be taken again
    assert ends == {"PPEG", "PEEG", "PEAG", "PEMG", "PEGG"}
    state.stock[0] = 0
    assert legal(game, state, EFFECTS) == []


def test_retool_turns_chips_for_nothing_and_produces_nothing():
    """ex21."""
    game, state = position(plus="PE", effects="RETOOL", coins=0)
    assert legal(game, state, EFFECTS) == [*range(USE_RETOOL, USE_RETOOL + NUM_SETS - 1)]
    play(game, state, USE_RETOOL + set_of("PA") - 1)
    assert (state.plus[0], state.phase) == (set_of("EA"), BEFORE)
    assert tokens_of(state.stock[0]) == ""
    assert stocks_after(game, state, turn("E")) == multisets("PEMG", 1)
    assert (state.plus[0], state.coins[0]) == (set_of("EA"), 0)


def test_effects_serve_their_owner_once_before_or_after_the_action_in_any_order():
    game, state = position(stock="PPE", effects="FLIP FLIP GAIN SWAP")
    first = game.copy(state)
    play(game, first, gain("M"), swap("PP"), take("GG"))
    play(game, state, flip("T01"), swap("PP"), take("GG"), gain("M"))
    assert first.stock.tolist() == state.stock.tolist()
    play(game, state, turn("G"))
    assert legal(game, state, EFFECTS) == []
    play(game, state, take("E"), give_back("E"), flip("T01"))
    assert state.value.tolist() == [2, 1, 2, 2, 3]
    assert state.effects.sum() == 0
    play(game, first, turn("G"), take("E"), give_back("E"), END_TURN)
    assert (first.to_move, first.effects[0, FLIP]) == (1, 2)
    assert legal(game, first, EFFECTS) == []


# 4 Worked examples: opening and the end -----------------------------------------------------------


def test_the_replacement_is_unknown_until_the_flip_of_the_left_symbol_is_decided():
    game, state = position(face_up=["W16", "W11"])
    play(game, state, OPEN)
    assert state.face_up[0] == NONE
    chips = game.component_names("trade_chips")
    assert game.legal(state).tolist() == [NO_FLIP, *flip(*chips)]
    assert not game.observation(state, 0).deck.any()
    replacements = set()
    for _ in range(60):
        world = game.view(state, 0)
        assert world.face_up.tolist() == state.face_up.tolist()
        play(game, world, NO_FLIP)
        replacements.add(int(world.face_up[0]))
    assert len(replacements) > 15
    play(game, state, flip("T07"))
    assert state.value.tolist() == [2, 2, 2, 2, 2]
    assert state.face_up[0] == state.deck[5]
    assert state.phase == AFTER


def test_a_site_without_the_left_symbol_is_replaced_at_once():
    game, state = position(face_up=["W16", "W11"])
    play(game, state, OPEN + 1)
    assert held(state) == [number("sites", "W11", game)]
    assert (state.face_up[1], state.phase) == (state.deck[5], AFTER)


def last_opening(**options):
    """Seat 0 opens W16, with the left symbol, and the pile is empty."""
    sites = ["W16", "W17", "W18"]
    game, state = position(pile=0, face_up=sites, coins=4, effects="FLIP", **options)
    play(game, state, OPEN)
    return game, state


def test_a_site_that_cannot_be_replaced_ends_the_game_at_once():
    """ex22."""
    game, state = last_opening()
    assert state.over == FINISHED
    assert game.legal(state).tolist() == []
    assert state.value.tolist() == [2, 1, 2, 2, 3]
    assert game.scores(state).tolist() == [4, 3]
    assert game.ranks(state).tolist() == [1, 2]


def open_as_often_as_possible(game, seed):
    """Play on, opening when that is legal; return the number of sites opened and the last state."""
    rng = np.random.default_rng(seed)
    state = game.new(seed)
    num_opened = 0
    while len(actions := game.legal(state)):
        if state.phase == BEFORE:
            assert (state.face_up != NONE).all()
        opening = legal(game, state, OPEN_PLACES)
        num_opened += bool(opening)
        game.apply(state, opening[0] if opening else rng.choice(actions))
    return num_opened, state


@pytest.mark.parametrize(("players", "num_sites"), [(2, 26), (3, 36), (4, 46)])
def test_all_but_four_of_the_sites_are_taken(players, num_sites):
    """ex23: of 26 the takes 1 to 21 are replaced, the 22nd ends the game."""
    num_opened, state = open_as_often_as_possible(sim.load("welkin", players=players), seed=1)
    assert state.over == FINISHED
    assert num_opened == num_sites - 4
    assert (state.face_up == NONE).sum() == 1


def test_most_coins_win_and_equal_players_share_the_victory():
    """ex24."""
    game, state = position(3)
    state.coins[:3] = 41, 41, 30
    assert game.ranks(state).tolist() == [1, 1, 3]
    state.num_finished[:3] = 1, 2, 9
    state.stock[2] = counts("PPPP")
    assert game.ranks(state).tolist() == [1, 1, 3]


# 6 Options ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("deck_size", [10, 30])
def test_the_number_of_sites_in_the_game_can_be_chosen(deck_size):
    game = sim.load("welkin", players=2, deck_size=deck_size)
    assert open_as_often_as_possible(game, seed=2)[0] == deck_size - 4
    assert f"pile       {deck_size - 5} sites" in game.describe(game.new())
    game = edited("deck_sizes", 0, cards=deck_size)
    assert f"pile       {deck_size - 5} sites" in game.describe(game.new())


def test_the_money_at_the_start_can_be_chosen_for_all_or_for_each_seat():
    game = sim.load("welkin", players=4)
    assert game.scores(game.new()).tolist() == [3, 3, 3, 3]
    assert game.scores(game.variant(start_money=0).new()).tolist() == [0, 0, 0, 0]
    seats = game.components["seats"].assign(coins=[2, 3, 4, 6])
    assert game.scores(game.variant(seats=seats).new()).tolist() == [2, 3, 4, 6]


def test_the_left_symbol_can_be_mandatory():
    game, state = position(face_up=["W16"], flip_on_open_rule="mandatory")
    play(game, state, OPEN)
    assert game.legal(state).tolist() == flip(*game.component_names("trade_chips"))


def test_with_effects_at_any_time_one_just_gained_changes_what_the_second_site_pays():
    game, state = two_sites(effects_timing="anytime")
    play(game, state, put(0, "PP"))
    assert legal(game, state, EFFECTS) == []
    play(game, state, put(1, "G"), DONE)
    assert game.legal(state).tolist() == [SCORE, SCORE + 1]
    other = game.copy(state)
    play(game, state, SCORE)
    assert (state.phase, state.coins[0]) == (BETWEEN, 5)
    play(game, state, flip("T10"), SCORE + 1)  # metal to gem: 2 + 4 + 4
    assert (state.phase, state.coins[0]) == (AFTER, 15)
    play(game, other, SCORE + 1)
    assert game.legal(other).tolist() == [SCORE]
    play(game, other, SCORE)
    assert (other.phase, other.coins[0]) == (AFTER, 13)
    game, state = two_sites(effects_timing="anytime")
    play(game, state, put(1, "G"), DONE)
    assert (state.phase, state.coins[0]) == (AFTER, 8)  # nothing to choose


def test_an_effect_can_be_kept_from_the_turn_that_gained_it():
    game, state = two_sites(effect_same_turn=False)
    play(game, state, put(0, "PP"), DONE)
    assert game.legal(state).tolist() == [END_TURN]
    next_turn(game, state)
    assert legal(game, state, flip("T01")) == flip("T01")
    game, state = two_sites(effect_same_turn=False, effects="FLIP", effects_timing="anytime")
    play(game, state, put(0, "PP"), put(1, "G"), DONE)
    assert game.legal(state).tolist() == [SCORE, SCORE + 1]  # not before the first scoring
    play(game, state, SCORE, flip("T10"))  # the one from before
    assert game.legal(state).tolist() == [SCORE + 1]


def test_the_round_can_be_finished_without_replacing_sites():
    game, state = last_opening(players=3, end_rule="finish_round")
    play(game, state, flip("T07"))
    assert state.value.tolist() == [2, 2, 2, 2, 2]
    play(game, state, flip("T01"), END_TURN)
    seats = []
    while not state.over:
        seats.append(int(state.to_move))
        assert legal(game, state, OPEN_PLACES) == [*OPEN_PLACES][len(seats) :]
        play(game, state, OPEN + len(seats), NO_FLIP, END_TURN)
    assert seats == [1, 2]
    assert state.over == FINISHED
    assert (state.face_up != NONE).sum() == 2


@pytest.mark.parametrize(
    ("winner_tie", "ranks"),
    [("shared", [1, 1, 1, 4]), ("completed_sites", [2, 1, 2, 4]), ("stock", [2, 2, 1, 4])],
)
def test_a_tie_is_shared_or_won_with_sites_or_with_stock(winner_tie, ranks):
    game, state = position(4, winner_tie=winner_tie)
    state.coins[:] = 41, 41, 41, 30
    state.num_finished[:] = 7, 8, 7, 9
    state.stock[:3] = counts("PE"), counts("GG"), counts("PEA")
    assert game.ranks(state).tolist() == ranks


def test_a_resource_whose_tokens_are_all_out_cannot_be_taken():
    game, state = position(plus="PE")
    state.supply[:] = 0, 0, 0, 9, 0
    assert stocks_after(game, game.copy(state), turn("A")) == {"MMM"}
    state.supply[3] = 2
    assert stocks_after(game, game.copy(state), turn("A")) == {"MM"}
    state.supply[3] = 0
    assert stocks_after(game, state, turn("A")) == {""}
    game, state = position(plus="PE", supply_limit=1)
    assert stocks_after(game, state, turn("A")) == {"MG"}


def test_without_a_limit_the_tokens_never_run_out():
    sites = {"W40": "GGG", "W45": "GG"}
    game, state = position(4, sites=sites, plus="PEA", coins=0, supply_limit="none")
    state.stock[1:4] = counts("GGGG")
    state.supply[4] -= 12
    play(game, state, turn("M"), take("GGGG"))
    assert tokens_of(state.stock[0]) == "GGGG"
    game, state = position(supply_limit="none")
    assert stocks_after(game, state, turn("P")) == multisets("EAMG", 1)


def test_fewer_tokens_than_due_can_be_taken_where_the_option_says_so():
    game, state = position(plus="PE", produce_exact=False)
    expected = {x for n in range(4) for x in multisets("MG", n)}
    assert stocks_after(game, game.copy(state), turn("A")) == expected
    found = productions(game, state)
    assert len(found) == len(set(found))
    game, state = position(plus="PE")
    play(game, state, turn("A"))
    assert legal(game, state, [STOP]) == []


def test_gain_with_a_full_stock_can_be_followed_by_a_return():
    game, state = position(stock="PPEG", effects="GAIN", gain_when_full="discard_down")
    play(game, state, gain("M"))
    assert game.legal(state).tolist() == [a for x in "PEMG" for a in give_back(x)]
    play(game, state, give_back("E"))
    assert (tokens_of(state.stock[0]), state.phase) == ("PPMG", BEFORE)


@pytest.mark.parametrize("max_rounds", [1, 3, 10_000])
def test_a_game_is_cut_off_after_the_last_turn_of_the_last_round(max_rounds):
    game, state = position(4, max_rounds=max_rounds)
    for _ in range(4 * min(max_rounds, 5)):
        assert not state.over
        pass_by(game, state)
    assert state.over == (CAPPED if max_rounds < 10_000 else GOES_ON)
    assert game.ranks(state).tolist() == [1, 1, 1, 1]


# 4 Invariants -------------------------------------------------------------------------------------


def check(game, state):
    """What holds after every action."""
    rules = game.rules
    shown = [rules.chip_side[i, state.side[i]] for i in range(rules.num_chips)]
    assert state.value.tolist() == np.bincount(shown, minlength=5).tolist()
    assert state.value.sum() == 10
    on_sites = state.on_own + state.on_wild
    in_play = state.supply + state.stock.sum(axis=0) + on_sites.sum(axis=(0, 1))
    assert (in_play == rules.num_tokens).all()
    assert (state.supply >= 0).all() and (state.stock >= 0).all()
    if state.phase not in (TAKING, RETURNING):
        assert (state.stock.sum(axis=1) <= 4).all()
    assert (state.coins >= 0).all()
    holds = state.site != NONE
    assert (holds.sum(axis=1) <= state.site_limit).all()
    assert set(state.site_limit[: game.players].tolist()) <= {2, 3}
    assert not on_sites[~holds].any()
    s = state.site[holds]
    assert (state.on_own[holds] <= rules.site_spots[s]).all()
    assert (state.on_wild[holds].sum(axis=1) <= rules.site_wild[s]).all()
    num_placed = on_sites[holds].sum(axis=1)
    assert (state.num_left[holds] == rules.site_size[s] - num_placed).all()
    if state.phase in (BEFORE, AFTER):
        assert (state.num_left[holds] > 0).all()
    if state.phase == BEFORE and not (state.over or state.is_last_round):
        assert (state.face_up != NONE).all()
    face_up = state.face_up[state.face_up != NONE]
    pile = state.deck[state.num_drawn : rules.num_cards]
    cards = [*face_up, *s, *pile]
    assert len(set(cards)) == len(cards)
    assert len(cards) + state.num_finished.sum() == rules.num_cards
    assert (state.effects.sum(axis=1) <= state.num_finished).all()


def check_random_game(game, seed):
    rng = np.random.default_rng(seed)
    state = game.new(seed)
    check(game, state)
    while len(actions := game.legal(state)):
        game.apply(state, rng.choice(actions))
        check(game, state)
    return state


CHANGES = [
    *itertools.product(["deck_size"], [10, 46]),
    *itertools.product(["start_money"], [0, 20]),
    *itertools.product(["supply_limit"], [3, "none"]),
    *((o.name, value) for o in OPTIONS if len(o.values) < 4 for value in o.values[1:]),
]


@pytest.mark.parametrize("players", [2, 3, 4])
def test_nothing_is_lost_or_doubled_in_a_random_game(players):
    game = sim.load("welkin", players=players)
    for seed in range(1 if config.DISABLE_JIT else 3):
        assert check_random_game(game, seed).over == FINISHED


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("option", "value"), CHANGES)
def test_nothing_is_lost_or_doubled_under_any_option(option, value, players):
    changes = {option: value, "max_rounds": 15 if config.DISABLE_JIT else 150}
    game = sim.load("welkin", players=players, **changes)
    assert check_random_game(game, seed=players).over


# 5 Tables -----------------------------------------------------------------------------------------


def test_the_box_has_46_sites_with_175_spots():
    sites = sim.load("welkin").components["sites"]
    assert len(sites) == 46
    assert sites["size"].value_counts().to_dict() == {3: 20, 4: 15, 5: 11}
    assert sites["size"].sum() == 175
    assert sites[[*RESOURCE_NAMES]].sum().tolist() == [32] * 5
    assert sites.wild.sum() == (sites.wild > 0).sum() == 15
    assert sites.flip_on_open.sum() == 31
    num_effects = [(sites.effect == name).sum() for name in (*EFFECT_NAMES, "NONE")]
    assert num_effects == [10, 5, 5, 5, 5, 16]
    assert ((sites.flip_on_open == 1) & (sites.effect != "NONE")).sum() == 15
    assert ((sites.flip_on_open == 1) | (sites.effect != "NONE")).all()


def test_each_pair_of_resources_is_on_one_trade_chip():
    chips = sim.load("welkin").components["trade_chips"]
    pairs = [*zip(chips.side_a, chips.side_b, strict=True)]
    assert pairs == [*itertools.combinations(RESOURCE_NAMES, 2)]
    assert {sum(name in pair for pair in pairs) for name in RESOURCE_NAMES} == {4}


def test_each_trade_chip_starts_on_a_side_by_chance():
    game = sim.load("welkin")
    sides = np.array([game.new(seed).side for seed in range(300)])
    assert (abs(sides.mean(axis=0) - 0.5) < 0.15).all()


def edited(table, rows, **values):
    """The game with some cells of a table changed in the rows of these numbers."""
    game = sim.load("welkin")
    frame = game.components[table]
    for column, value in values.items():
        frame.loc[rows, column] = value
    return game.variant(**{table: frame})


def with_rows(table, rows, **options):
    """The game with these rows of a table alone."""
    game = sim.load("welkin", **options)
    return game.variant(**{table: game.components[table].iloc[[*rows]]})


def test_a_list_of_fewer_sites_is_played():
    game = with_rows("sites", range(12), deck_size=12)
    num_opened, state = open_as_often_as_possible(game, seed=1)
    assert num_opened == 8
    assert sorted(state.deck[:12].tolist()) == [*range(12)]


def test_sites_of_other_sizes_and_with_several_wild_spots_pay_by_what_lies_there():
    spots = dict.fromkeys(RESOURCE_NAMES, 0)
    game = edited("sites", 0, **spots | {"size": 4, "plant": 1, "wild": 3})
    game, state = position(game=game, sites={"W01": "Pp"}, stock="GG", coins=0)
    play(game, state, put(0, "g"), put(0, "g"), DONE)
    assert state.coins[0] == 2 + 2 + 3 + 3
    game = edited("sites", 0, **spots | {"size": 1, "gem": 1})
    game, state = position(game=game, sites={"W01": ""}, stock="G", coins=0)
    play(game, state, put(0, "G"), DONE)
    assert (state.coins[0], held(state)) == (3, [])


def test_other_trade_chips_are_played():
    game = sim.load("welkin")
    chips = game.components["trade_chips"].head(3).assign(side_a="plant", side_b="gem")
    game, state = position(game=game.variant(trade_chips=chips), market="PGG", face_up=["W16"])
    play(game, state, OPEN)
    assert game.legal(state).tolist() == [NO_FLIP, *flip("T01", "T02", "T03")]
    play(game, state, flip("T01"))
    assert state.value.tolist() == [0, 0, 0, 0, 3]


def test_a_site_of_more_coins_than_a_small_integer_holds_is_counted_right():
    game = edited("sites", 0, size=18, plant=9, elemental=0, wild=9)
    chips = game.components["trade_chips"].assign(side_a="plant", side_b="gem")
    game = game.variant(trade_chips=chips, supply_limit=20)
    sites = {"W01": 8 * "P" + 9 * "p"}
    game, state = position(game=game, market=10 * "P", sites=sites, stock="P", coins=0)
    play(game, state, put(0, "P"), DONE)
    assert state.coins[0] == 18 * 10


def test_the_stock_limit_is_a_row_of_a_table():
    game, state = position(game=edited("limits", 0, value=6), stock="GGAP", plus="PE")
    play(game, state, turn("A"), take("MMM"))
    assert state.phase == RETURNING
    play(game, state, give_back("P"))
    assert (state.phase, tokens_of(state.stock[0])) == (AFTER, "AMMMGG")


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_the_site_limit_is_a_row_of_a_table(limit):
    game = edited("limits", 1, value=limit)
    sites = dict.fromkeys(["W01", "W20", "W46"][: limit - 1], "")
    game, state = position(game=game, sites=sites, effects="THIRD", face_up=["W11"])
    play(game, state, OPEN)
    next_turn(game, state)
    assert len(held(state)) == limit
    assert legal(game, state, OPEN_PLACES) == []
    play(game, state, USE_THIRD)
    assert legal(game, state, OPEN_PLACES) == [*OPEN_PLACES]


REFUSED = [
    (lambda: edited("sites", 0, size=4), "W01 has size 4 and 3 spots; accepted: .* the sum"),
    (lambda: edited("sites", 0, effect="FLOP"), "'FLOP' is not accepted; accepted: NONE, FLIP"),
    (lambda: with_rows("sites", range(9)), "sites: 9 rows; accepted: 10 to 120"),
    (lambda: edited("trade_chips", 0, side_b="plant"), "T01 has plant twice; accepted: two diff"),
    (lambda: with_rows("sites", range(30), players=4), "46 sites .* has 30; accepted: 10 to 30"),
    (lambda: sim.load("welkin", deck_size=47), "47 sites .* has 46; accepted: 10 to 46"),
    (lambda: edited("limits", 1, value=4), "site_limit .* accepted: 1 to 3"),
    (lambda: with_rows("limits", [1, 0]), "accepted: the rows stock_limit, site_limit, in this"),
    (lambda: with_rows("limits", [0]), "limits: 1 rows; accepted: 2 to 2"),
    (lambda: with_rows("seats", [0, 1, 3, 2]), "accepted: one row for each of seat 1 to 4, in"),
    (lambda: with_rows("seats", [0, 1, 2]), "seats: 3 rows; accepted: 4 to 4"),
    (lambda: with_rows("deck_sizes", [1, 0, 2]), "accepted: one row for each of players 2 to 4"),
    (lambda: with_rows("deck_sizes", [0, 1]), "deck_sizes: 2 rows; accepted: 3 to 3"),
]


@pytest.mark.parametrize(("change", "message"), REFUSED)
def test_tables_that_do_not_fit_are_refused_with_what_is_accepted(change, message):
    with pytest.raises(ValueError, match=message):
        change()


# 4 Sanity figures ---------------------------------------------------------------------------------


@pytest.mark.compiled_only
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_play_always_finishes_with_about_the_printed_figures(players):
    game = sim.load("welkin", players=players)
    actions = np.zeros(game.num_actions, np.int64)
    rounds, coins = [], []
    for seed in range(200):
        state = game.new(seed)
        playouts.play_out(game.rules, state, actions, np.random.SFC64(seed).state["state"]["state"])
        assert state.over == FINISHED
        rounds.append(state.turn / players)
        coins.append(game.scores(state).mean())
    assert 105 < np.mean(rounds) < 155
    assert 4.5 < np.mean(coins) < 9.5


@pytest.mark.compiled_only
@pytest.mark.parametrize("players", [2, 3, 4])
def test_greedy_play_has_about_the_printed_figures(players):
    from agents import resolve, stepwise

    game = sim.load("welkin", players=players)
    agents = [resolve("greedy", game)] * players
    rounds, sites, coins = [], [], []
    for seed in range(6):
        record, _, _ = stepwise.play_match(game, agents, seed=seed)
        *_, state = record.replay()
        assert state.over == FINISHED
        rounds.append(state.turn / players)
        sites.append(state.num_finished.sum() / players)
        coins.append(game.scores(state).mean())
    assert 30 < np.mean(rounds) < 50
    assert 8 < np.mean(sites) < 10.5
    assert 70 < np.mean(coins) < 110
