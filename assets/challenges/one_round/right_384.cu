// warplens: block=384, each=3
