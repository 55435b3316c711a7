@cuda.jit
def histogram_global(gray, bins, n):
    i = cuda.grid(1)
    if i < n:
        width = gray.shape[1]
        cuda.atomic.add(bins, gray[i // width, i % width], 1)
