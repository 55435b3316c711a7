// warplens: block=64, shared=320
