// warplens: block=1024, grid=1
