// warplens: block=512, n=43009
