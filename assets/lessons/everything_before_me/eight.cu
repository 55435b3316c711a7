// warplens: x=int32[8] formula(i == 0 ? 3 : i == 1 ? 1 : i == 2 ? 7 : i == 3 ? 0 : i == 4 ? 4 : i == 5 ? 1 : i == 6 ? 6 : 3)
// warplens: inclusive=int32[8] zero, exclusive=int32[8] zero, block=32, grid=1
extern "C" __global__ void eight(const int* x, int* inclusive, int* exclusive) {
  int i = threadIdx.x;
  if (i >= 8) return;

  int sum = 0;
  for (int k = 0; k < i; ++k) sum += x[k];
  exclusive[i] = sum;
  inclusive[i] = sum + x[i];
}
