// The handlers of all families, for one instruction set.
#include "core/gpu/exec/ops/common.h"
#include "core/gpu/exec/state/routines.h"

#include "core/gpu/exec/isa/isa_begin.h"

namespace warplens::exec {

namespace WARPLENS_ISA_NAMESPACE {
#define FAMILY(name) Handlers pick_##name(const Selector&);
#include "core/program/op/families.def"
#undef FAMILY
Handlers pick_warp(Collective);
Handlers pick_matrix_float(MatrixJob);
Handlers pick_matrix_integer(MatrixJob);
Handlers pick_matrix_memory(MatrixJob);

static Handlers pick_matrix(MatrixJob job) {
  for (const auto family : {&pick_matrix_float, &pick_matrix_integer, &pick_matrix_memory}) {
    if (const Handlers handlers = family(job)) return handlers;
  }
  return {};
}
}  // namespace WARPLENS_ISA_NAMESPACE

const OpsTable& WARPLENS_JOIN(ops_, WARPLENS_ISA)() {
  namespace isa = WARPLENS_ISA_NAMESPACE;
  static constexpr OpsTable table{all_routines,
                                  {
#define FAMILY(name) &isa::pick_##name,
#include "core/program/op/families.def"
#undef FAMILY
                                  },
                                  &isa::pick_warp,
                                  &isa::pick_matrix};
  return table;
}

}  // namespace warplens::exec

#include "core/gpu/exec/isa/isa_end.h"
