// warplens: block=256, shared=1024, grid=ceil(n/256)
