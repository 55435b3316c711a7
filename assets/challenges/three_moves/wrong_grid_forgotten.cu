// warplens: block=256, shared=1024
