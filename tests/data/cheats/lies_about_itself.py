class Code:
    co_argcount = 4


class Kernel:
    __code__ = Code()

    def __call__(self, x, y, out, n):
        out[:] = x + y


add = Kernel()
