// warplens: n=200000
