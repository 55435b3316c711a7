// warplens: block=512, shared=2048
