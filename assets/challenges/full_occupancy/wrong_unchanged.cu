// warplens: block=1024, shared=40000
