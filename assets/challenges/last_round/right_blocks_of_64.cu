// warplens: block=64, n=28673
