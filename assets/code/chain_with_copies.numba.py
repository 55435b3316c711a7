@cuda.jit
def add(x, y, total, n):
    i = cuda.grid(1)
    if i < n:
        total[i] = x[i] + y[i]


@cuda.jit
def scale(x, factor, scaled, n):
    i = cuda.grid(1)
    if i < n:
        scaled[i] = factor * x[i]


@cuda.jit
def root(x, out, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = math.sqrt(x[i])
