"""The random stream: SFC64, four 64-bit words, the same numbers as numpy's `SFC64`.

A stream is a `uint64` array of shape (4,): three words of state and a counter. Every random number
of kibitz comes from a stream that somebody handed over; there is no global generator. The match
has one (``state.chance``) and every agent has one of its own, so that what an agent draws never
changes a deal.

The generator is Chris Doty-Humphrey's sfc64 (PractRand); the bounded integers follow D. Lemire,
"Fast random integer generation in an interval", ACM TOMACS 29 (2019), on the upper 32 bits.

`int` and the masks change nothing in compiled code; they let the same lines run as plain Python,
where integers do not wrap.
"""

from sim.jit import jit

NUM_WORDS = 4
_MASK_64 = 0xFFFFFFFFFFFFFFFF
_MASK_32 = 0xFFFFFFFF
_SEEDING_ROUNDS = 18  # PractRand's number for three independent seed words
_UNIT_53 = 1.0 / (1 << 53)
_MIN_DOUBLE_SHIFT = 11


@jit
def seed_stream(stream, first, second, third):
    """Start `stream` anew from three integers; streams of other integers are independent."""
    stream[0] = int(first) & _MASK_64
    stream[1] = int(second) & _MASK_64
    stream[2] = int(third) & _MASK_64
    stream[3] = 1
    for _ in range(_SEEDING_ROUNDS):
        next_word(stream)


@jit
def next_word(stream):
    """Draw the next 64 random bits."""
    a = int(stream[0])
    b = int(stream[1])
    c = int(stream[2])
    counter = int(stream[3])
    word = (a + b + counter) & _MASK_64
    stream[3] = (counter + 1) & _MASK_64
    stream[0] = b ^ (b >> 11)
    stream[1] = (c + (c << 3)) & _MASK_64
    stream[2] = (((c << 24) & _MASK_64 | (c >> 40)) + word) & _MASK_64
    return word


@jit
def below(stream, limit):
    """Draw a uniform integer from 0 to limit - 1; `limit` is at least 1 and at most 2**31."""
    limit = int(limit)
    product = (next_word(stream) >> 32) * limit
    low = product & _MASK_32
    if low < limit:
        threshold = ((1 << 32) - limit) % limit
        while low < threshold:
            product = (next_word(stream) >> 32) * limit
            low = product & _MASK_32
    return product >> 32


@jit
def uniform(stream):
    """Draw a uniform number in [0, 1), of 53 random bits."""
    return (next_word(stream) >> _MIN_DOUBLE_SHIFT) * _UNIT_53


@jit
def shuffle(values, first, last, stream):
    """Shuffle ``values[first:last]`` in place (Fisher and Yates)."""
    for i in range(last - 1, first, -1):
        j = first + below(stream, i - first + 1)
        kept = values[i]
        values[i] = values[j]
        values[j] = kept
