// warplens: block=64, grid=500
