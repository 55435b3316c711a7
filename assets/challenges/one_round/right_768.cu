// warplens: block=768, each=3
