// warplens: block=256, shared=40000, grid=ceil(n/256)
