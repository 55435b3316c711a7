// What a thread finds two places to the left of its own, by four rules for places that are not there.
// warplens: in=int32[n] formula(100 + 10 * i), black=int32[n] zero, repeated=int32[n] zero, mirrored=int32[n] zero
// warplens: around=int32[n] zero, n=8 in 4..32, block=32, grid=1
extern "C" __global__ void rules(const int* in, int* black, int* repeated, int* mirrored, int* around, int n) {
  int i = threadIdx.x;
  if (i >= n) return;

  int place = i - 2;
  black[i] = place < 0 ? 0 : in[place];
  repeated[i] = in[max(place, 0)];
  mirrored[i] = in[place < 0 ? -place : place];
  around[i] = in[(place + n) % n];
}
