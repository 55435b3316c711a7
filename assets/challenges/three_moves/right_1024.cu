// warplens: block=1024, shared=4096, grid=ceil(n/1024)
