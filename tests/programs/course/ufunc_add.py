"""A ufunc of 64-bit integers."""
import numpy as np
from numba import vectorize


@vectorize(["int64(int64, int64)"], target="cuda")
def add(a, b):
    return a + b


a = np.arange(10_000, dtype=np.int64)
assert np.array_equal(add(a, a[::-1].copy()), np.full(10_000, 9_999))
