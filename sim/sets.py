"""Small sets of numbers 0 to 30, each kept as the bits of one integer: bit i is 1 if i is in it.

What is asked often and changes seldom, such as the cards of a player, is one comparison in this
form, where an array of flags would be a loop. To go through a set in ascending order, take the
lowest number out of it again and again::

    while things != 0:
        i = lowest(things)
        things = without_lowest(things)

`int` changes nothing in compiled code; it lets the same lines run as plain Python, where numpy's
small integers keep their size.
"""

from sim.jit import jit


@jit
def only(i):
    """Return the set of one number."""
    return 1 << int(i)


@jit
def has(things, i):
    """Whether a number is in the set: 1 or 0."""
    return (int(things) >> int(i)) & 1


@jit
def without_lowest(things):
    """Return the set without its smallest number."""
    return int(things) & (int(things) - 1)


@jit
def size(things):
    """Count the numbers in a set; the compiler knows this loop and takes one instruction."""
    rest = int(things)
    n = 0
    while rest != 0:
        rest &= rest - 1
        n += 1
    return n


@jit
def lowest(things):
    """Return the smallest number of a set that is not empty: so many zeros come before its bit."""
    return size(~int(things) & (int(things) - 1))


def set_of(numbers):
    """Return the set of these numbers.

    Parameters
    ----------
    numbers : iterable of int
        Each from 0 to 30.

    Returns
    -------
    int
    """
    return sum({1 << int(i) for i in numbers})


def members(things):
    """Return the numbers in a set, in ascending order.

    Parameters
    ----------
    things : int

    Returns
    -------
    list of int
    """
    return [i for i in range(int(things).bit_length()) if int(things) >> i & 1]
