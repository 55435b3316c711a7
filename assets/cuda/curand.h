// So that no file of NVIDIA's is taken for it.
#error "curand.h is not among the headers that WarpLens has for clang: compile with --compiler nvrtc"
