// warplens: block=128, threads=n
