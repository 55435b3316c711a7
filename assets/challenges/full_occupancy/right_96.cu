// warplens: block=96, shared=448
