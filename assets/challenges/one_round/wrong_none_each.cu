// warplens: block=256, each=0
