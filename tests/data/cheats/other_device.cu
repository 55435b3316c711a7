// warplens: block=1024, shared=40000, device=h200
