@cuda.jit(device=True)
def lucas_number(i):
    if i == 0:
        return 2
    if i == 1:
        return 1
    return lucas_number(i - 1) + lucas_number(i - 2)


@cuda.jit
def lucas_recursive(out, n):
    i = cuda.grid(1)
    if i <= n:  # indices from 0 up to n: n + 1 numbers
        out[i] = lucas_number(i)
