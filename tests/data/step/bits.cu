enum Colour { red, green = 5, blue };
enum class State : unsigned char { idle, busy = 3 };
union Word {
  unsigned whole;
  float number;
  unsigned char bytes[4];
};
struct Flags {
  unsigned low : 3;
  unsigned middle : 7;
  int high : 6;
};
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Colour colour = i % 3 == 0 ? red : i % 3 == 1 ? green : blue;
  State state = (i & 1) != 0 ? State::busy : State::idle;
  Word word;
  word.whole = static_cast<unsigned>(in[i]) * 77u;
  word.bytes[2] = static_cast<unsigned char>(i);
  Flags flags;
  flags.low = i;
  flags.middle = in[i];
  flags.high = -i;
  int picked = 0;
  switch (colour) {
    case red:
      picked = word.bytes[0];
      break;
    case green:
      picked = flags.low + flags.middle;
      break;
    default:
      picked = flags.high;
  }
  bool both = state == State::busy && colour != red;
  long long wide = static_cast<long long>(picked) << 33;
  out[i] = picked + both + static_cast<int>(wide >> 30);
}
