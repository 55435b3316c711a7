// warplens: block=1536, grid=28
