import pytest

from sim.sets import has, lowest, members, only, set_of, size, without_lowest

SETS = [[], [0], [30], [0, 30], [3, 4, 26], list(range(31))]


@pytest.mark.parametrize("numbers", SETS)
def test_a_set_has_the_numbers_that_it_was_made_of(numbers):
    things = set_of(numbers)
    assert members(things) == numbers
    assert size(things) == len(numbers)
    assert [i for i in range(31) if has(things, i)] == numbers


@pytest.mark.parametrize("numbers", SETS)
def test_the_lowest_number_is_taken_out_again_and_again(numbers):
    things, found = set_of(numbers), []
    while things != 0:
        found.append(int(lowest(things)))
        things = without_lowest(things)
    assert found == numbers


def test_numbers_are_put_in_and_taken_out():
    things = set_of([2, 5])
    assert members(things | only(7)) == [2, 5, 7]
    assert members(things & ~only(5)) == [2]
    assert members(set_of([4, 4])) == [4]
