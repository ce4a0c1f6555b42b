"""A clock that compiled code can read without the interpreter (POSIX)."""

import time

import numpy as np
from numba import types
from numba.extending import overload

_NANO = 1e-9

# Found by its name in the C library, so that code which calls it can be kept on disk.
_clock_gettime = types.ExternalFunction(
    "clock_gettime", types.int32(types.int32, types.CPointer(types.int64))
)


def now():
    """Seconds since some fixed moment; only differences mean anything."""
    return time.monotonic()


@overload(now)
def _now():
    clock = int(time.CLOCK_MONOTONIC)

    def compiled():
        seconds_and_nanoseconds = np.empty(2, np.int64)
        _clock_gettime(clock, seconds_and_nanoseconds.ctypes)
        return seconds_and_nanoseconds[0] + _NANO * seconds_and_nanoseconds[1]

    return compiled
