// A structure with padding goes through shared and local memory.
// run: grid 1 block 16 new_bytes out_bytes n 3
struct Row {
  short id;
  char kind;
  int count;
  char last;
  long long sum;
};
extern "C" __global__ void bug(Row* fresh, Row* out, int n) {
  __shared__ Row rows[16];
  int t = threadIdx.x;
  Row own[2];
  for (int i = 0; i < 2; ++i) {
    own[i].id = t;
    own[i].kind = 'k';
    own[i].count = i;
    own[i].last = 'l';
    own[i].sum = i + t;
  }
  rows[t] = own[n & 1];
  __syncthreads();
  if (t < 8) fresh[t] = rows[t ^ 1];
  __syncthreads();
  if (t < 8) out[t].sum = fresh[t].sum + fresh[t].id + fresh[t].last;
}
