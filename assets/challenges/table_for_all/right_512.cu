// warplens: block=512, grid=84
