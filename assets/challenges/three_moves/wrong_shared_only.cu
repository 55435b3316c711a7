// warplens: shared=384
