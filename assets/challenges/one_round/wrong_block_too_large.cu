// warplens: block=2048, each=3
