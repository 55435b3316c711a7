// warplens: block=128, shared=512, threads=n
