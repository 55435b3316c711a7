// warplens: block=512, shared=2048, grid=n/512+1
