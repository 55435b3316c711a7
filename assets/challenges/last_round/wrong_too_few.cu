// warplens: n=1
