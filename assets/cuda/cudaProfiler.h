// Starts and stops a profiler: CUDA Driver API, "Profiler Control".
#pragma once
#include "cuda.h"

#ifdef __cplusplus
extern "C" {
#endif
CUresult cuProfilerStart(void);
CUresult cuProfilerStop(void);
#ifdef __cplusplus
}
#endif
