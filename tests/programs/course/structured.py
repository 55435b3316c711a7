"""Records."""
import numpy as np
from numba import cuda

point = np.dtype([("x", np.float32), ("y", np.float32), ("length", np.float64)])


@cuda.jit
def measure(points):
    i = cuda.grid(1)
    if i < points.size:
        points[i].length = points[i].x * points[i].x + points[i].y * points[i].y


points = np.zeros(300, point)
points["x"], points["y"] = np.arange(300), 2
measure[3, 128](points)
assert np.array_equal(points["length"], np.arange(300.0) ** 2 + 4)
