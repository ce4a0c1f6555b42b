import numpy as np
import pytest

from sim import chance


def stream_of(seed):
    return np.random.SFC64(seed).state["state"]["state"].copy()


@pytest.mark.parametrize("seed", [0, 1, 2**63, 12345678901234567890])
def test_the_stream_is_that_of_numpy_bit_for_bit(seed):
    numpys = np.random.SFC64(seed)
    ours = stream_of(seed)
    expected = [int(word) for word in numpys.random_raw(2000)]
    assert [int(chance.next_word(ours)) for _ in range(2000)] == expected
    assert ours.tolist() == numpys.state["state"]["state"].tolist()


def test_uniform_numbers_are_those_of_numpy():
    generator = np.random.Generator(np.random.SFC64(9))
    ours = stream_of(9)
    assert [chance.uniform(ours) for _ in range(500)] == generator.random(500).tolist()


def test_a_seeded_stream_is_numpys_generator_from_that_state_after_eighteen_rounds():
    ours = np.zeros(4, np.uint64)
    chance.seed_stream(ours, 7, -1, 3)
    numpys = np.random.SFC64(0)
    state = numpys.state
    state["state"]["state"] = np.array([7, 2**64 - 1, 3, 1], np.uint64)
    numpys.state = state
    numpys.random_raw(18)
    assert ours.tolist() == numpys.state["state"]["state"].tolist()


def test_each_of_the_three_seeds_makes_another_stream():
    words = set()
    for seeds in [(1, 2, 3), (2, 2, 3), (1, 3, 3), (1, 2, 4), (2, 1, 3), (0, 0, 0)]:
        ours = np.zeros(4, np.uint64)
        chance.seed_stream(ours, *seeds)
        words.add(int(chance.next_word(ours)))
    assert len(words) == 6


@pytest.mark.parametrize("limit", [1, 2, 3, 6, 7, 108, 2**31 - 1, 2**31])
def test_bounded_integers_stay_below_and_are_even(limit):
    ours = stream_of(3)
    draws = np.array([chance.below(ours, limit) for _ in range(3000)])
    assert draws.min() >= 0
    assert draws.max() < limit
    if limit <= 7:
        counts = np.bincount(draws, minlength=limit)
        expected = 3000 / limit
        chi_square = ((counts - expected) ** 2 / expected).sum()
        assert chi_square < 30  # 7 values: exceeded by chance once in 25,000 streams


def test_a_limit_that_does_not_divide_the_words_is_corrected_for():
    # Below 3 * 2**29 the upper 32 bits give 3, 3 and 2 of 8 words to the rests 0, 1 and 2 of a
    # division by 3; only the rejection makes them even.
    ours = stream_of(4)
    draws = np.array([chance.below(ours, 3 << 29) for _ in range(6000)])
    assert np.bincount(draws % 3).tolist() == pytest.approx([2000] * 3, abs=150)


def test_a_shuffle_keeps_the_cards_and_leaves_the_rest_alone():
    ours = stream_of(5)
    values = np.arange(20)
    chance.shuffle(values, 5, 15, ours)
    assert values[:5].tolist() == list(range(5))
    assert values[15:].tolist() == list(range(15, 20))
    assert sorted(values[5:15].tolist()) == list(range(5, 15))
    assert values[5:15].tolist() != list(range(5, 15))


def test_every_order_of_a_shuffle_is_equally_likely():
    ours = stream_of(6)
    counts = {}
    for _ in range(6000):
        values = np.arange(3)
        chance.shuffle(values, 0, 3, ours)
        key = tuple(values.tolist())
        counts[key] = counts.get(key, 0) + 1
    assert len(counts) == 6
    assert sum((n - 1000) ** 2 / 1000 for n in counts.values()) < 30
