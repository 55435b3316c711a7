// warplens: block=192, shared=768, grid=ceil(n/192)
