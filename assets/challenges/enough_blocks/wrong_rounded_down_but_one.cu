// warplens: block=256, grid=max(1, floor(n/256))
