// warplens: block=2048, n=28673
