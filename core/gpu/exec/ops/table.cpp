// The families' handlers of one instruction set.
#include "core/gpu/exec/ops/common.h"
#include "core/gpu/exec/state/routines.h"

#include "core/gpu/exec/isa/isa_begin.h"

namespace warplens::exec {

namespace WARPLENS_ISA_NAMESPACE {
Handlers pick_integer(const Selector&);
Handlers pick_logic(const Selector&);
Handlers pick_floating(const Selector&);
Handlers pick_compare(const Selector&);
Handlers pick_convert(const Selector&);
Handlers pick_move(const Selector&);
Handlers pick_memory(const Selector&);
Handlers pick_atomic(const Selector&);
Handlers pick_carry(const Selector&);
Handlers pick_bits(const Selector&);
Handlers pick_half(const Selector&);
Handlers pick_convert_half(const Selector&);
Handlers pick_atomic_half(const Selector&);
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
                                  &isa::pick_integer,
                                  &isa::pick_logic,
                                  &isa::pick_floating,
                                  &isa::pick_compare,
                                  &isa::pick_convert,
                                  &isa::pick_move,
                                  &isa::pick_memory,
                                  &isa::pick_atomic,
                                  &isa::pick_carry,
                                  &isa::pick_bits,
                                  &isa::pick_half,
                                  &isa::pick_convert_half,
                                  &isa::pick_atomic_half,
                                  &isa::pick_warp,
                                  &isa::pick_matrix};
  return table;
}

}  // namespace warplens::exec

#include "core/gpu/exec/isa/isa_end.h"
