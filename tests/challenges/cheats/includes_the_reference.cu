#include "right.cu"
