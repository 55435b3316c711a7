// A value that may be missing is copied whole: the number of an empty one was never written.
// run: grid 1 block 16 new_bytes out_bytes
struct Maybe {
  bool has;
  double value;
};
extern "C" __global__ void bug(Maybe* fresh, Maybe* out) {
  int t = threadIdx.x;
  fresh[t].has = t % 2 == 0;
  if (fresh[t].has) fresh[t].value = t;
  __syncwarp();
  Maybe one = fresh[15 - t];
  out[t] = one;
  if (out[t].has) out[t].value = out[t].value * 2;
}
