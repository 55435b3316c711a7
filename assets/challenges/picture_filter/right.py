from numba import cuda, int32


@cuda.jit
def weigh(picture, weights, out, width, height):
    tile = cuda.shared.array(324, int32)
    factors = cuda.shared.array(9, int32)
    columns = cuda.blockDim.x + 2
    rows = cuda.blockDim.y + 2
    threads = cuda.blockDim.x * cuda.blockDim.y
    left = cuda.blockIdx.x * cuda.blockDim.x - 1
    top = cuda.blockIdx.y * cuda.blockDim.y - 1
    t = cuda.threadIdx.y * cuda.blockDim.x + cuda.threadIdx.x
    for place in range(t, columns * rows, threads):
        row = max(0, min(top + place // columns, height - 1))
        column = max(0, min(left + place % columns, width - 1))
        tile[place] = picture[row, column]
    for k in range(t, 9, threads):
        factors[k] = weights[k]
    cuda.syncthreads()
    x, y = cuda.grid(2)
    if x >= width or y >= height:
        return
    total = int32(0)
    for dy in range(3):
        for dx in range(3):
            total += factors[3 * dy + dx] * tile[(cuda.threadIdx.y + dy) * columns + cuda.threadIdx.x + dx]
    out[y, x] = total
