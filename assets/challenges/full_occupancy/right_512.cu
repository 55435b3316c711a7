// warplens: block=512, shared=2112
