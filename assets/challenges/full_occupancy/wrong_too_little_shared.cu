// warplens: block=512, shared=528
