// A structure is written member by member and copied whole, twice: nobody writes its padding.
// run: grid 1 block 16 new_bytes out_bytes
struct Particle {
  float x;
  char kind;
  double mass;
};
extern "C" __global__ void bug(Particle* fresh, Particle* out) {
  int t = threadIdx.x;
  fresh[t].x = t;
  fresh[t].kind = 'a';
  fresh[t].mass = 2.0 * t;
  __syncwarp();
  out[15 - t] = fresh[t];
  __syncwarp();
  fresh[t] = out[t];
  out[t].mass = fresh[t].mass + fresh[t].x + fresh[t].kind;
}
