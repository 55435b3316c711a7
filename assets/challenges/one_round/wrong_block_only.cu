// warplens: block=512
