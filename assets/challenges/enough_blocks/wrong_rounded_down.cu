// warplens: block=256, grid=floor(n/256)
