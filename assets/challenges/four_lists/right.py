from numba import cuda


@cuda.jit
def follow(next, out, n, hops):
    first = cuda.grid(1)
    threads = cuda.gridsize(1)
    for i in range(first, n, 4 * threads):
        a = i
        b = min(i + threads, n - 1)
        c = min(i + 2 * threads, n - 1)
        d = min(i + 3 * threads, n - 1)
        for k in range(hops):
            a = next[a]
            b = next[b]
            c = next[c]
            d = next[d]
        out[i] = a
        if i + threads < n:
            out[i + threads] = b
        if i + 2 * threads < n:
            out[i + 2 * threads] = c
        if i + 3 * threads < n:
            out[i + 3 * threads] = d
