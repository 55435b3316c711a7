// warplens: block=512, shared=2112, grid=2
