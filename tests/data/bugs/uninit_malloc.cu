// What malloc gave is read before it is written.
// run: grid 1 block 1 out
// finds uninitialized at [read] block 0 thread 0 of malloc+4
extern "C" __global__ void bug(int* out) {
  int* fresh = static_cast<int*>(malloc(8));
  fresh[0] = 1;
  out[0] = fresh[out[1] + 1];  // [read]
  free(fresh);
}
// says malloc() does not clear
