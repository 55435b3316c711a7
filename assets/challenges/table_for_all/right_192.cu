// warplens: block=192, grid=224
