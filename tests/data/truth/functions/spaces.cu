// grid 2 block 64 words 1280
// Where addresses point, and registers that say who and where.
struct Parameters {
  int a[4];
};
__constant__ int fixed[4] = {1, 2, 3, 4};
__device__ int global_one = 5;
__device__ __noinline__ unsigned what(const void* p) {
  return __isGlobal(p) | __isShared(p) << 1 | __isLocal(p) << 2 | __isConstant(p) << 3;
}
__device__ __noinline__ int load(const int* p, int i) { return p[i]; }
__device__ __noinline__ void store(int* p, int i, int v) { p[i] = v; }
template <class T>
__device__ unsigned low(T v) {
  return (unsigned)v;
}
#define SPECIAL(name)                                   \
  ([] {                                                 \
    unsigned v;                                         \
    asm volatile("mov.u32 %0, %%" #name ";" : "=r"(v)); \
    return v;                                           \
  }())
extern "C" __global__ void run(unsigned* out) {
  __shared__ int room[64];
  extern __shared__ int dynamic[];
  int own[4] = {1, 2, 3, 4};
  int t = threadIdx.x, all = blockIdx.x * 64 + t;
  unsigned* mine = out + all * 10;
  mine[0] = what(&global_one) | what(room) << 4 | what(own) << 8 | what(fixed) << 12 | what(out) << 16;
  store(t % 2 ? room + t : own, 0, t + 100);
  const int* from = t % 2 ? room + t : t % 3 ? own : fixed;
  mine[1] = load(from, 0) + load(fixed, t & 3);
  int* place = t & 1 ? own : room + t - t % 2;
  atomicAdd(place + (t & 1), 5);
  mine[2] = load(place, t & 1);
  mine[3] = SPECIAL(lanemask_lt) ^ SPECIAL(lanemask_gt) ^ SPECIAL(lanemask_eq);
  mine[4] = SPECIAL(laneid) | SPECIAL(nctaid.x) << 8 | SPECIAL(ctaid.x) << 16 | SPECIAL(ntid.x) << 20;
  mine[5] = SPECIAL(dynamic_smem_size);
  long long before = clock64();
  unsigned c0 = clock();
  unsigned long long g0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(g0));
  store(own, 1, load(own, 2));
  unsigned c1 = clock();
  unsigned long long g1;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(g1));
  mine[6] = (clock64() > before) | (c1 - c0 > 0 && c1 - c0 < 1000000) << 1 | (g1 >= g0) << 2;
  unsigned long long address = __cvta_generic_to_shared(room + t);
  mine[7] = (unsigned)(address - __cvta_generic_to_shared(room));
  unsigned back;
  asm volatile("{ .reg .u64 p; cvta.shared.u64 p, %1; ld.u32 %0, [p]; }" : "=r"(back) : "l"(address));
  mine[8] = back == (unsigned)room[t];
  mine[9] = SPECIAL(cluster_nctarank) | SPECIAL(cluster_ctarank) << 4;
}
