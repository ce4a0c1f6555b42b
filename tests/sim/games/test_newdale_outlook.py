"""What players expect of their plans, and of what they have chosen and neither paid nor got yet."""

import pytest
from newdale_positions import (
    CARDS,
    TILES,
    TOWNS,
    A,
    B,
    apply,
    deal,
    field_of,
    has_tiles,
    hold,
    own,
    ready_to_build,
    run,
    settle,
    stones,
    table_of,
)

from sim.games.newdale.components import BLUE, PREMIUM_VP
from sim.games.newdale.outlook import HELPER
from sim.games.newdale.position import (
    BUILD_CARD,
    BUY_STONE,
    CHAIN_UNITS,
    CHOOSE_COLOUR,
    CHOOSE_TOWN_ACTION,
    DISCARD,
    DRAW,
    GOOD,
    LAST_CHAINS,
    PAY,
    TRADE_CARDS,
    USE_BOON,
)


def features(game, state):
    return game.features(state, A)


def planned(*fields, **parts):
    """A position in which A's two stones are planned and not shown."""
    game, state = table_of(**parts)
    state.stones[A] = 0b11
    state.plan[A, : len(fields)] = [field_of(name) for name in fields]
    return game, state


def test_a_stone_may_spend_what_an_earlier_one_brings():
    expected = {}
    for fields in [((0, 1), "offspring"), ("offspring", (0, 1))]:
        game, state = planned(*fields)
        hold(state, A, coal=5)
        expected[fields[0]] = features(game, state)["stones"]
    assert expected[(0, 1)] > expected["offspring"], "5 coal and 3 more buy stone 3"


def test_each_coin_is_spent_once():
    game, state = planned("offspring", "progress")
    later = game.rules.num_rounds[0] - 1
    for coal, stones_expected, tiles_expected in [(6, 2, 1), (7, 3, 0), (10, 3, 0), (11, 3, 1)]:
        hold(state, A, coal=coal)
        found = features(game, state)
        assert found["stones"] == later * stones_expected
        assert found["progress"] == later * tiles_expected


@pytest.mark.parametrize("field", ["offspring", "progress"])
def test_what_is_being_paid_counts_once(field):
    game, state = table_of()
    hold(state, A, cattle=2, meat=2)  # 12 coins
    deal(state, A, "C010")
    stones(game, state, field)
    before = features(game, state)
    game.apply(state, next(a for a in game.legal(state) if a >= BUY_STONE))
    assert state.decision == PAY
    while state.decision == PAY and state.price > 0:
        now = features(game, state)
        for name in ("stones", "progress"):
            assert now[name] == before[name]
        assert now["score"] + now["coming"] == pytest.approx(before["score"] + before["coming"])
        game.apply(state, game.legal(state)[0])


def test_a_card_that_is_chosen_counts_as_built_and_paid():
    game, state = ready_to_build("C010", "C107", coal=14)
    drawn = game.copy(state)
    game.apply(drawn, DRAW)
    worth = {}
    for card in ("C010", "C107"):
        after = game.copy(state)
        game.apply(after, BUILD_CARD + CARDS[card])
        worth[card] = features(game, after)
    assert worth["C107"]["score"] == features(game, state)["score"], "as it stands, not as it will"
    gained = worth["C107"]["coming"] - features(game, drawn)["coming"]
    assert gained == pytest.approx(5 - 14 / 5), "5 VP for 14 coins"
    assert worth["C010"]["engine"] > worth["C107"]["engine"], "a mill will be used later"
    assert features(game, drawn)["builds"] == 0


def test_a_town_that_is_chosen_counts_for_the_secret_order():
    game, state = ready_to_build("C107", coal=20)
    state.order[A] = 0
    game.apply(state, BUILD_CARD + CARDS["C107"])
    coming = {}
    for action in game.legal(state):
        after = game.copy(state)
        game.apply(after, action)
        town = int(action) - CHOOSE_TOWN_ACTION
        on_order = (int(game.rules.order_towns[0]) >> town) & 1
        terrain = (int(game.rules.card_towns[CARDS["C107"]]) >> town) & 1
        premium = int(game.rules.town_premium_n[town])
        premium *= int(game.rules.town_premium[town] == PREMIUM_VP)
        value = features(game, after)["coming"] - premium
        coming.setdefault((on_order, terrain), set()).add(round(value, 6))
    assert {len(found) for found in coming.values()} == {1}
    for (on_order, terrain), (value,) in coming.items():
        (plain,) = coming[0, 0]
        assert value == pytest.approx(plain + 2 * on_order + 3 * terrain / 5)
    assert {on_order for on_order, _ in coming} == {terrain for _, terrain in coming} == {0, 1}


@pytest.mark.parametrize(
    ("town", "beside", "vp", "cards", "coal"),
    [("L08", "L05", 1, 0, 0), ("L10", "L07", 0, 1, 0), ("L13", "L10", 0, 0, 2)],
)
def test_a_premium_counts_once_its_town_is_chosen(town, beside, vp, cards, coal):
    found = []
    for is_first in (True, False):
        game, state = ready_to_build("C107", players=2, houses=["L01", beside])
        settle(state, B, "L01", *([] if is_first else [town]))
        apply(game, state, BUILD_CARD + CARDS["C107"], CHOOSE_TOWN_ACTION + TOWNS[town])
        found.append(features(game, state))
    first, second = found
    assert first["coming"] - second["coming"] == pytest.approx(vp + coal / 5)
    assert first["cards"] - second["cards"] == cards
    assert first["tiles"] == second["tiles"] == 1, "and one step away lies a tile"


def test_last_chains_are_foreseen():
    game, state = table_of()
    own(state, A, a1="C010", a2="C043", a3="C085")
    deal(state, A, "C007", "C008")
    hold(state, A, flour=1, coal=5)  # 7 coins; 6 food and 2 coal in the end (example 28)
    assert features(game, state)["chains"] == (44 - 7) / 5
    hold(state, A, bread=2)
    assert features(game, state)["chains"] == (2 * 2 + 2 * 2) / 5, "2 flour, 2 bread into 2 food"


def test_chains_that_are_used_are_not_expected_again():
    game, state = table_of()
    own(state, A, a1="C010", a2="C043")
    deal(state, A, "C007", "C008")
    hold(state, A, flour=1, coal=5)
    state.round_number = 7
    run(game, state, LAST_CHAINS)
    before = features(game, state)
    assert before["chains"] == (2 * 2 + 3 * 7) / 5
    game.apply(state, game.legal(state)[1])
    game.apply(state, CHAIN_UNITS)
    assert state.decision == DISCARD
    game.apply(state, game.legal(state)[0])
    assert features(game, state)["chains"] == 2 * 7 / 5, "the mill is done, the card in hand idle"


def test_cards_being_traded_are_gone_and_what_they_bring_is_there():
    game, state = table_of()
    deal(state, A, "C107", "C108", "C083")
    own(state, A, a1="C043")
    stones(game, state, "black_market")
    before = features(game, state)
    game.apply(state, TRADE_CARDS)
    for _ in range(2):
        assert state.decision == DISCARD
        now = features(game, state)
        assert now["cards"] == before["cards"] == 1
        assert now["score"] + now["coming"] == before["score"] + before["coming"] == 6 + 9 / 5
        game.apply(state, game.legal(state)[0])
    assert state.decision == GOOD
    now = features(game, state)
    assert now["score"] + now["coming"] == 6 + 9 / 5, "4 coal, and bread to be taken"


def test_a_personal_helper_makes_a_missing_one_good():
    game, state = table_of()
    own(state, A, a1="C049")  # 3 yellow, 1 blue; no blue one in the market
    has_tiles(state, A, "BT03")
    stones(game, state, (1, 1))
    before = features(game, state)["coming"]
    apply(game, state, USE_BOON + TILES["BT03"], CHOOSE_COLOUR + BLUE)
    assert features(game, state)["coming"] == pytest.approx(before + 3 * HELPER / 5)
