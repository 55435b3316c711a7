// warplens: block=768, grid=56, shared=8192
