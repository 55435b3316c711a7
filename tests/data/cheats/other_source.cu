// warplens: block=1024, shared=40000
extern "C" __global__ void smooth(const float* x, float* out, int n) {}
