// warplens: block=256, each=3, grid=168
