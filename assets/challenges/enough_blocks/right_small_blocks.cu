// warplens: block=64, grid=floor((n + 63) / 64)
