// warplens: block=512, shared=40000
