// warplens: block=512, each=2
