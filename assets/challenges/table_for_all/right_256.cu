// warplens: block=256, grid=168
