// warplens: block=768, grid=56, n=1000
