// warplens: n=60000
