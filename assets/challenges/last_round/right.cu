// warplens: n=28673
