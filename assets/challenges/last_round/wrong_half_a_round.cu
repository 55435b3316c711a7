// warplens: n=43000
