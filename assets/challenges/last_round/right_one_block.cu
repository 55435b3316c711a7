// warplens: n=29000
