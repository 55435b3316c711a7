// warplens: block=64, each=5
