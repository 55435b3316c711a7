// warplens: block=2048, grid=ceil(n/2048)
