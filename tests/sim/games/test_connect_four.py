"""Known numbers of positions, and wins in every direction."""

import pytest

import sim

POSITIONS_BY_PLY = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]  # OEIS A212693


@pytest.fixture
def game():
    return sim.load("connect_four")


def after(game, columns):
    state = game.new()
    for column in columns:
        game.apply(state, column)
    return state


def successors(game, states):
    """All distinct positions one ply later."""
    found = {}
    for state in states:
        for action in game.legal(state):
            child = game.copy(state)
            game.apply(child, action)
            found[tuple(child.stones.tolist())] = child
    return list(found.values())


def test_the_number_of_distinct_positions_by_ply_is_the_known_one(game):
    level = [game.new()]
    for num_positions in POSITIONS_BY_PLY[:6]:
        assert len(level) == num_positions
        level = successors(game, level)


@pytest.mark.compiled_only
def test_the_number_of_distinct_positions_by_ply_is_the_known_one_to_ply_8():
    """The same in compiled code, to the last known number."""
    import numpy as np

    from sim.jit import jit
    from sim.protocol import apply_action, legal_actions

    @jit
    def expand(rules, states, children, actions):
        n = 0
        for i in range(len(states)):
            for a in range(legal_actions(rules, states[i], actions)):
                children[n] = states[i]
                apply_action(rules, children[n], actions[a])
                n += 1
        return n

    game = sim.load("connect_four")
    level = np.zeros(1, game.definition.state.dtype)
    level[0] = game.new()
    actions = np.zeros(game.num_actions, np.int64)
    for num_positions in POSITIONS_BY_PLY:
        assert len(level) == num_positions
        children = np.zeros(7 * len(level), level.dtype)
        n = expand(game.rules, level, children, actions)
        _, first = np.unique(children["stones"][:n], axis=0, return_index=True)
        level = children[first]


def lines():
    """The 69 lines of four places, each as (column, row) pairs."""
    for column in range(7):
        for row in range(6):
            for right, up in ((0, 1), (1, 0), (1, 1), (1, -1)):
                line = [(column + i * right, row + i * up) for i in range(4)]
                if all(0 <= c < 7 and 0 <= r < 6 for c, r in line):
                    yield line


def bit(column, row):
    return 1 << (7 * column + row)


@pytest.mark.parametrize("player", [0, 1])
def test_four_in_a_row_wins_on_each_of_the_69_lines_and_three_do_not(game, player):
    assert len(list(lines())) == 69
    for line in lines():
        for last in range(4):
            state = game.new()
            state.to_move = player
            for i, (column, row) in enumerate(line):
                if i != last:
                    state.stones[player] |= bit(column, row)
            column, row = line[last]
            state.height[column] = row
            elsewhere = game.copy(state)
            game.apply(state, column)
            assert (state.winner, bool(state.over)) == (player, True)
            assert game.scores(state).tolist() == [int(p == player) for p in range(2)]
            assert game.ranks(state).tolist() == [1 + int(p != player) for p in range(2)]
            other = next(c for c in range(7) if c not in [c for c, _ in line] or c == column)
            elsewhere.height[other] = 5 if row != 5 else 0
            if bit(other, elsewhere.height[other]) not in [bit(c, r) for c, r in line]:
                others = {bit(other, elsewhere.height[other])}
                wins = {frozenset(bit(c, r) for c, r in one) for one in lines()}
                stones = {bit(c, r) for i, (c, r) in enumerate(line) if i != last} | others
                game.apply(elsewhere, other)
                assert (elsewhere.winner == player) == any(win <= stones for win in wins)


def test_no_line_runs_round_the_edge_of_the_board(game):
    state = game.new()
    state.stones[0] = bit(0, 3) | bit(0, 4) | bit(0, 5)
    game.apply(state, 1)
    assert state.winner == -1


def test_a_full_board_without_four_in_a_row_is_a_draw(game):
    columns = [0, 1] * 3 + [1, 0] * 3 + [2, 3] * 3 + [3, 2] * 3 + [4, 5] * 3 + [5, 4] * 3 + [6] * 6
    state = after(game, columns)
    assert state.turn == 42
    assert state.over
    assert game.ranks(state).tolist() == [1, 1]
    assert game.scores(state).tolist() == [0, 0]


def test_features_count_the_places_that_would_win(game):
    state = after(game, [0, 6, 1, 6, 2])  # x on 1, 2, 3 of the lowest row
    mine, theirs = game.features(state, 0), game.features(state, 1)
    assert (mine["threats"], mine["rival_threats"], mine["rival_wins_next"]) == (1, 0, 0)
    assert (theirs["threats"], theirs["rival_threats"], theirs["rival_wins_next"]) == (0, 1, 1)
    gap = after(game, [0, 6, 1, 6, 3, 5])  # x on 1, 2, 4: the gap wins
    assert game.features(gap, 0)["threats"] == 1


def test_a_winning_place_that_is_out_of_reach_is_no_immediate_threat(game):
    state = after(game, [0, 0, 1, 1, 6, 2, 6, 2, 5])
    # o on 1, 2 and 3 of the second row: the fourth place of that row hangs above an empty one.
    assert game.features(state, 0)["rival_threats"] == 1
    assert game.features(state, 0)["rival_wins_next"] == 0
