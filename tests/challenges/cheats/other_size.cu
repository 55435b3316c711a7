// warplens: n=0
