// warplens: block=256, n=40000
