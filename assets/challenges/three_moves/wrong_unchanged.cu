// warplens: block=96, shared=100, grid=20
