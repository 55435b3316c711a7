enum Color { red, green = 5, blue };
enum class Mode : unsigned char { off, on = 3 };
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int result = 0;
  Color color = red;
  Mode mode = Mode::off;
  switch (i % 5) {
    case 0:
      color = green;
      result = 10;
      break;
    case 1:
      color = blue;
      mode = Mode::on;
      // falls through
    case 2:
      result += in[i];
      break;
    case 3: {
      int local = i * i;
      result = local;
      mode = Mode::on;
      break;
    }
    default:
      result = -1;
  }
  int code = static_cast<int>(color) * 10 + static_cast<int>(mode);
  out[i] = result + code;
}
