// warplens: block=16, grid=ceil(n/16)
