// warplens: block=256, shared=1023, grid=ceil(n/256)
