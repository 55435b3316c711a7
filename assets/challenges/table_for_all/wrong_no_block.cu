// warplens: block=768, grid=0
