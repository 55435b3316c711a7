// Included before each .cu file with a main(), as nvcc includes its own: the runtime API, and the C headers
// that nvcc includes with it.
#pragma once

// The device's functions first: those of the C++ library use them.
// clang-format off
#include "cuda_runtime.h"
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
