"""What a kernel is compiled for, and how often."""

import numpy as np
import pytest

from sim.jit import jit

pytestmark = pytest.mark.compiled_only

COUNTS = np.dtype((np.record, np.dtype([("small", np.int8), ("large", np.uint32)])))


@jit
def _double(number, is_doubled):
    return 2 * number if is_doubled else number


@jit
def _doubles(counts):
    fixed = _double(3, True)
    by_name = _double(number=counts.small, is_doubled=counts.large > 0)
    return fixed + by_name + _double(np.int64(5), False) + _double(counts.large, True)


def test_a_kernel_is_compiled_once_for_whole_numbers_of_all_widths():
    counts = np.zeros(1, COUNTS)
    counts[0] = (-128, 4_000_000_000)
    assert _doubles(counts[0]) == 6 - 256 + 5 + 8_000_000_000
    assert len(_double.signatures) == 1


@jit
def _half(number):
    return number >> np.uint64(1)


@jit
def _halves(words):
    return _half(words[0])


def test_words_of_all_64_bits_are_not_taken_for_negative_numbers():
    assert _halves(np.array([2**64 - 2], np.uint64)) == 2**63 - 1
