// warplens: n=30000
