@cuda.jit
def ripple(source, out, width, height, time, wavelength, amplitude):
    x, y = cuda.grid(2)
    if x >= width or y >= height:
        return
    dx = np.float32(x - width // 2)
    dy = np.float32(y - height // 2)
    distance = math.sqrt(dx * dx + dy * dy)
    turns = distance / wavelength - time  # one wave a second
    phase = turns - math.floor(turns) - np.float32(0.5)
    wave = np.float32(8) * phase * (np.float32(1) - np.float32(2) * abs(phase))  # nearly a sine
    shift = np.float32(0)
    if distance > 0:
        shift = amplitude * wave / distance
    from_x = min(max(x + int(math.floor(dx * shift + np.float32(0.5))), 0), width - 1)
    from_y = min(max(y + int(math.floor(dy * shift + np.float32(0.5))), 0), height - 1)
    for channel in range(3):
        out[y, x, channel] = source[from_y, from_x, channel]
