// cg::reduce is defined with the groups.
#pragma once
#include "../cooperative_groups.h"
