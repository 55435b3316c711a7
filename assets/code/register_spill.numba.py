# On a GPU, @cuda.jit(max_registers=32) leaves fewer registers than its 64 numbers need: the compiler spills.
@cuda.jit
def register_spill(x, out, n):
    thread = cuda.grid(1)
    if thread >= n:
        return
    v = cuda.local.array(64, np.float32)
    for k in range(64):
        v[k] = x[k, thread]
    distance = 1
    while distance < 64:
        for k in range(64):
            if k & distance == 0:
                total = v[k] + v[k + distance]
                difference = v[k] - v[k + distance]
                v[k] = total
                v[k + distance] = difference
        distance *= 2
    for k in range(64):
        out[k, thread] = v[k]
