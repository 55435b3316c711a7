@cuda.jit
def vector_add_unchecked(x, y, out):
    i = cuda.grid(1)
    out[i] = x[i] + y[i]  # no check: threads past the end write to memory that is not theirs
