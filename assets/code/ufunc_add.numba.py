# In Python one line can hide all of this: a ufunc that Numba compiles for the GPU by itself.
#   @vectorize(["int64(int64, int64)"], target="cuda")
#   def add(x, y): return x + y
@cuda.jit
def ufunc_add(x, y, out, n):
    i = cuda.grid(1)
    if i < n:
        out[i] = x[i] + y[i]
