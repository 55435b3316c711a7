"""Copies and kernels on two streams, and the time between events."""
import numpy as np
from numba import cuda


@cuda.jit
def square(x):
    i = cuda.grid(1)
    if i < x.size:
        x[i] *= x[i]


streams = [cuda.stream(), cuda.stream()]
host = [np.arange(4096, dtype=np.float32) + s for s in range(2)]
begin, end = cuda.event(), cuda.event()
square[16, 256, streams[0]](cuda.to_device(host[0]))  # compiled here, so not between the events
begin.record(streams[0])
device = [cuda.to_device(h, stream=s) for h, s in zip(host, streams)]
for d, s in zip(device, streams):
    square[16, 256, s](d)
end.record(streams[0])
results = [d.copy_to_host(stream=s) for d, s in zip(device, streams)]
cuda.synchronize()
for h, r in zip(host, results):
    assert np.array_equal(r, h * h)
assert 0 < cuda.event_elapsed_time(begin, end) < 10
