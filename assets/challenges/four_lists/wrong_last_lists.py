from numba import cuda


@cuda.jit
def follow(next, out, n, hops):
    first = cuda.grid(1)
    threads = cuda.gridsize(1)
    for i in range(first, n - threads, 2 * threads):
        a = i
        b = i + threads
        for k in range(hops):
            a = next[a]
            b = next[b]
        out[i] = a
        out[i + threads] = b
