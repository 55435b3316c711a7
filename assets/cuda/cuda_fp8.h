// This file exists so that no file of NVIDIA's is used in its place.
#error "cuda_fp8.h is not among the headers that WarpLens has for clang: compile with --compiler nvrtc"
