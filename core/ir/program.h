// A kernel decoded for the virtual GPU: ops with typed handlers, the layout of a warp's register frame, and
// where in the PTX and the source each op comes from. Immutable; all workers share one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/backend/footprint.h"
#include "core/base/diagnostic.h"
#include "core/exec/op.h"
#include "core/exec/selector.h"
#include "core/ir/cfg.h"
#include "core/ptx/tree.h"

namespace warplens::ir {

// A slot of the frame that holds a kernel parameter in all lanes.
struct ParameterSlot {
  uint32_t slot = 0;
  uint32_t offset = 0;  // bytes into the parameters
  ptx::Modifier type{};
  uint8_t register_bits = 32;
};

// A slot that holds the same value in all lanes and all warps.
struct ConstantSlot {
  uint32_t slot = 0;
  uint64_t bits = 0;
  uint8_t register_bits = 32;
};

struct SpecialSlot {
  uint32_t slot = 0;
  ptx::SpecialRegister special{};
  uint8_t component = 0;  // 0…3: x y z w
};

// One memory instruction or conditional branch, for the counters that workers keep.
struct CountedOp {
  uint32_t instruction = 0;
  enum class Kind : uint8_t { access, branch } kind = Kind::access;
  Space space = Space::global;
  AccessKind access = AccessKind::load;
};

struct ModuleVariable {
  uint64_t address = 0;
  const ptx::Variable* variable = nullptr;  // lives as long as the module
};

struct Program {
  std::shared_ptr<const ptx::Module> module;
  const ptx::Function* function = nullptr;
  ControlFlow flow;
  std::vector<exec::Op> ops;
  // Ops on launch constants alone, run once for each warp of a block when a worker prepares its frames.
  std::vector<exec::Op> prologue;

  uint32_t frame_bytes = 0;
  std::vector<ParameterSlot> parameters;
  std::vector<ConstantSlot> constants;
  std::vector<SpecialSlot> launch_specials;  // the same for every block of the launch
  std::vector<SpecialSlot> block_specials;   // set for each block
  std::vector<std::pair<uint32_t, uint32_t>>
      cleared;                           // slot, bytes: registers that may be read before they are written
  std::vector<uint32_t> register_slots;  // per register of the function

  std::vector<CountedOp> counted;
  std::vector<ModuleVariable> variables;
  std::vector<uint32_t> parameter_offsets;  // per parameter
  uint32_t parameter_bytes = 0;
  uint32_t shared_static_bytes = 0;
  uint32_t local_bytes = 0;      // per thread
  bool may_spin = false;         // reads memory that others may change meanwhile: atomics, volatile loads
  bool order_dependent = false;  // atomics whose results are used, or that add floats: blocks run in order

  const exec::Op* entry() const { return ops.data(); }
};

struct DecodeResult {
  std::shared_ptr<const Program> program;  // null where there are errors
  std::vector<Diagnostic> diagnostics;
};

// Decodes one entry of a module. What the virtual GPU cannot run is refused here, with its line.
DecodeResult decode(std::shared_ptr<const ptx::Module> module, std::string_view entry,
                    const exec::OpsTable& table);

}  // namespace warplens::ir
