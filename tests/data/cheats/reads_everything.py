import os

from numba import cuda

read = 0
for folder, _, names in os.walk("/"):
    for name in names:
        try:
            with open(os.path.join(folder, name), "rb") as file:
                read += len(file.read(1 << 20))
        except OSError:
            pass


@cuda.jit
def add(a, b, sum, n):
    pass
