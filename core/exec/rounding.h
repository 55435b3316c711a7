// Rounding modes as values of fesetround, which run_rounded (warp.h) takes.
#pragma once

#include "core/ptx/modifier.h"

namespace warplens::exec {

int fenv_mode(ptx::Modifier rounding);  // to nearest even where it is none of rz, rm, rp

}  // namespace warplens::exec
