// warplens: n=20, block=64, shared=256
