// warplens: block=256, grid=ceil(n/256)
