// warplens: block=1024, shared=4160
