#include "core/program/op/rounding.h"

#include <cfenv>

namespace warplens::program {

int fenv_mode(ptx::Modifier rounding) {
  switch (rounding) {
    case ptx::Modifier::rz:
      return FE_TOWARDZERO;
    case ptx::Modifier::rm:
      return FE_DOWNWARD;
    case ptx::Modifier::rp:
      return FE_UPWARD;
    default:
      return FE_TONEAREST;
  }
}

}  // namespace warplens::program
