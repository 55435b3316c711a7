// Philox4x32-10 (Salmon, Moraes, Dror and Shaw 2011): a counter and a key become four numbers.
uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    uint low_x = 0xd2511f53u * counter.x, high_x = mul_hi(0xd2511f53u, counter.x);
    uint low_z = 0xcd9e8d57u * counter.z, high_z = mul_hi(0xcd9e8d57u, counter.z);
    counter = (uint4)(high_z ^ counter.y ^ key.x, low_z, high_x ^ counter.w ^ key.y, low_x);
    key += (uint2)(0x9e3779b9u, 0xbb67ae85u);
  }
  return counter;
}

uint is_inside(uint a, uint b) {
  float x = a * 0x1p-32f, y = b * 0x1p-32f;
  return fma(x, x, y * y) <= 1.f;
}

uint hits_of(uint item, int turns, uint seed) {
  uint hits = 0;
  for (int turn = 0; turn < turns; ++turn) {
    uint4 random = philox((uint4)(turn, item, 0, 0), (uint2)(seed, 0));
    hits += is_inside(random.x, random.y) + is_inside(random.z, random.w);
  }
  return hits;
}

__kernel void pi_atomic_block(__global uint* total, int turns, uint seed, int n) {
  __local uint of_block;
  if (get_local_id(0) == 0) of_block = 0;
  barrier(CLK_LOCAL_MEM_FENCE);

  int item = get_global_id(0);
  if (item < n) atomic_add(&of_block, hits_of(item, turns, seed));
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) atomic_add(total, of_block);
}
