// The one of the system calls a function of the host. It may be included again, after another NDEBUG.
#include "parts/assert.h"
