// warplens: block=512, shared=200000
