// warplens: block=128, grid=ceil(n/256)
