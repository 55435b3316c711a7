// warplens: block=32, grid=500
