// cg::scan is beside the groups.
#pragma once
#include "../cooperative_groups.h"
