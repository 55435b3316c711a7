// warplens: block=1024, each=3
