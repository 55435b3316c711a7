import __main__

__main__.end("missing", "ModuleNotFoundError: No module named 'numba'")
