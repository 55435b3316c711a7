// warplens: block=2048, shared=8192, grid=ceil(n/2048)
