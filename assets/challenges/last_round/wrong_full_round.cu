// warplens: n=28672
