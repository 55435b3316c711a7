# Programs whose variables are compared with the output of print, which is put before each statement. make.py compiles
# them.
from numba import cuda, float32, int32, int64, uint8


def loops(out, data, n):
    i = cuda.grid(1)
    total = 0
    half = 0.5
    for k in range(i % 5):
        step = k * data[i]
        total += step
        half = half * 1.5
    rest = total
    count = 0
    while rest > 3:
        rest = rest // 2
        count += 1
    both = total + count
    out[i] = both + int(half)


def choices(out, data, n):
    i = cuda.threadIdx.x
    a = data[i]
    low = -5
    r = low if a < low else a
    s = 20 if r > 20 else r
    even = a % 2 == 0
    if even:
        t = s * 2
        s = t + 1
    elif a > 10:
        s = -s
    else:
        s = 7
    m = max(a, s)
    out[i] = m + min(r, 4)


def early(out, data, n):
    i = cuda.blockIdx.x * cuda.blockDim.x + cuda.threadIdx.x
    a = data[i]
    if a < -20:
        out[i] = 1
        return
    b = a + 20
    for k in range(10):
        if k * k > b:
            break
        if k == 3:
            continue
        b -= k
    out[i] = b


def arrays(out, data, n):
    i = cuda.grid(1)
    own = cuda.local.array(4, dtype=float32)
    tile = cuda.shared.array((2, 32), dtype=int32)
    x = i % 32
    y = i // 32
    tile[y, x] = data[i]
    cuda.syncthreads()
    total = 0.0
    for k in range(4):
        own[k] = tile[y, (x + k) % 32] * 0.25
        total += own[k]
    other = tile[1 - y, 31 - x]
    out[i] = int(total) + other


def nested(out, data, n):
    i = cuda.grid(1)
    found = -1
    tries = 0
    for a in range(1, i % 6 + 2):
        square = a * a
        for b in range(a, 8):
            tries += 1
            if square + b * b == i:
                found = a * 10 + b
                break
            if b > 5 and tries > 9:
                square += 1
        else:
            found -= 1
        last = square
        found += last % 2
    out[i] = found + tries


def widths(out, data, n):
    i = cuda.grid(1)
    small = uint8(data[i])
    wide = int64(data[i]) * 5000000000
    single = float32(data[i]) / float32(3)
    double = data[i] / 3.0
    flag = data[i] > 0
    both = flag and single < 9
    small = uint8(small + 1)
    mixed = wide + small
    x, y = i % 3, i // 3
    z = x * y
    out[i] = int(double) + z + int32(mixed % 100)
    out[i] += both


programs = [loops, choices, early, arrays, nested, widths]
