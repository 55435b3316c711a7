// The system's assert() calls a host function. This file may be included again, after another NDEBUG.
#include "parts/assert.h"
