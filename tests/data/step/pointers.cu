__device__ void add_to(int& target, int amount) {
  int before = target;
  target += amount;
  int after = target;
  target += after - before;
}
__device__ void add_through(int* target, const int* from) {
  int amount = *from;
  *target += amount;
  amount += 1;
  *target += amount;
}
extern "C" __global__ void k(int* out, const int* in, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int* mine = in + i;
  int total = *mine;
  add_to(total, i);
  add_through(&total, mine);
  int& alias = total;
  alias += 5;
  int* p = out + i;
  *p = alias;
}
