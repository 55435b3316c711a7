// warplens: n=28673, grid=29
