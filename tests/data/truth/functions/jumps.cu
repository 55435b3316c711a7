// grid 1 block 128 words 256
// Dense switches, which become jump tables, with and without a function call in each arm.
__device__ __noinline__ unsigned mix(unsigned a, unsigned b) { return (a ^ b) * 2654435761u; }
extern "C" __global__ void run(unsigned* out) {
  unsigned t = threadIdx.x, x = 1;
  for (unsigned i = 0; i < t % 9 + 1; ++i) {
    switch ((t * 7 + i) % 12) {
      case 0:
        x += 3;
        break;
      case 1:
        x = mix(x, 1);
        break;
      case 2:
        x *= 5;
        [[fallthrough]];
      case 3:
        x ^= t;
        break;
      case 4:
        x = mix(t, x) + 1;
        break;
      case 5:
        x = __brev(x);
        break;
      case 6:
        x -= 11;
        continue;
      case 7:
        x = x / 3 + 1;
        break;
      case 8:
        if (x & 1) x = mix(x, x);
        break;
      case 9:
        x = __popc(x) * 77;
        break;
      case 10:
        x = (x << 3) | (x >> 29);
        break;
      default:
        x = ~x;
        break;
    }
    x += i;
  }
  out[t] = x;
  unsigned y = 0;
  switch (t) {
    case 3:
      y = mix(t, 1);
      break;
    case 4:
      y = mix(2, t);
      break;
    case 5:
      y = 9;
      break;
    case 6:
      y = mix(1, 1);
      break;
    case 7:
      y = 17 * t;
      break;
    case 8:
      y = mix(8, 9);
      break;
    case 9:
      return;
  }
  out[128 + t] = y + 1;
}
