from numba import cuda


@cuda.jit
def follow(next, out, n, hops):
    first = cuda.grid(1)
    threads = cuda.gridsize(1)
    for i in range(first, n, threads):
        at = i
        for k in range(hops):
            at = next[at]
        out[i] = at
