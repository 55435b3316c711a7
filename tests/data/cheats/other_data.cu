// warplens: block=1024, shared=40000, x=float32[1] zero, out=float32[1] zero
