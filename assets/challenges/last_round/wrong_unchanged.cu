// warplens: block=1024, n=20000
