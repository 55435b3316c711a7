import os

for descriptor in range(1, 20):
    try:
        os.write(descriptor, b"missing\nNumba is not there")
    except OSError:
        pass
os._exit(0)
