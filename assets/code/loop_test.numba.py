@cuda.jit
def loop_test(out, n, loops):
    i = cuda.grid(1)
    if i >= n:
        return
    total = 0.0
    for j in range(loops):
        total += float(i) * j * 0.1
    out[i] = total
