// Rounding modes as values of fesetround: Op::immediate of Routine::rounded.
#pragma once

#include "core/ptx/modifier.h"

namespace warplens::program {

int fenv_mode(ptx::Modifier rounding);  // to nearest even where it is none of rz, rm, rp

}  // namespace warplens::program
