"""Random numbers in threads: a state for each."""
import numpy as np
from numba import cuda
from numba.cuda.random import create_xoroshiro128p_states, xoroshiro128p_uniform_float32


@cuda.jit
def inside(states, rounds, out):
    i = cuda.grid(1)
    hits = 0
    for _ in range(rounds):
        x = xoroshiro128p_uniform_float32(states, i)
        y = xoroshiro128p_uniform_float32(states, i)
        if x * x + y * y <= 1.0:
            hits += 1
    out[i] = hits


states = create_xoroshiro128p_states(512, seed=1)
out = np.zeros(512, np.int32)
inside[4, 128](states, 200, out)
assert abs(4 * out.sum() / (512 * 200) - np.pi) < 0.02
