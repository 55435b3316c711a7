// warplens: block=1, grid=n
