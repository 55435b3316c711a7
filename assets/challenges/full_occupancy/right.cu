// warplens: block=768, shared=3136
