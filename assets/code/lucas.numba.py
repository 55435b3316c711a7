@cuda.jit
def lucas(out, n):
    i = cuda.grid(1)
    if i > n:  # indices from 0 up to n: n + 1 numbers
        return
    current, following = 2, 1
    for _ in range(i):
        current, following = following, current + following
    out[i] = current
