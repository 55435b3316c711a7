// warplens: block=64, each=1
