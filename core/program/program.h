// A kernel decoded for the virtual GPU: ops with typed handlers, the layout of a warp's register frame, and
// where in the PTX and the source each op comes from. Immutable; all workers share one program.
#pragma once

#include <any>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/base/diagnostic.h"
#include "core/launch/footprint.h"
#include "core/program/device_call.h"
#include "core/program/flow/cfg.h"
#include "core/program/op/address_space.h"
#include "core/program/op/matrix_op.h"
#include "core/program/op/op.h"
#include "core/program/op/ops_table.h"
#include "core/program/op/selector.h"
#include "core/program/op/texture_access.h"
#include "core/ptx/tree.h"

namespace warplens::program {

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
  enum class Kind : uint8_t { access, branch, texture, copy } kind = Kind::access;
  Space space = Space::global;
  AccessKind access = AccessKind::load;
  bool two_operands = false;  // atom.cas
  // A reduction at one address for all lanes, such as a sum of integers, whose old value is not used. The
  // assembler lets one lane do it for the whole warp.
  bool merges = false;
};

struct ModuleVariable {
  uint64_t address = 0;
  const ptx::Variable* variable = nullptr;  // lives as long as the module
};

// Whether a program has additional ops that tell a watch (core/gpu/exec/state/watch.h) what happens.
enum class Watching : uint8_t { nothing, divisions, all };

// An array of shared memory, for messages. The dynamic part has no end.
struct SharedVariable {
  uint64_t begin = 0, end = 0;
  std::string_view name;  // lives as long as the module
};

constexpr uint32_t no_function = 0xffffffff;

// CUDA sets the size of a thread's stack (cudaLimitStackSize; 1,024 bytes unless a program requests more),
// and the assembler decides how much of it a call takes. Here a thread has 64 KiB for functions that can be
// active twice and for alloca. A call takes its .local variables and 64 bytes, so recursion may be about a
// thousand calls deep. The variables of each such function also fit once in addition to that, however large
// they are, up to one mebibyte.
constexpr uint32_t stack_limit_bytes = 64 << 10;
constexpr uint32_t max_stack_bytes = 1 << 20;
constexpr uint32_t activation_bytes = 64;

// Adjacent rows of a warp's frame, of 32 lanes each: a value that a call passes or saves.
struct SlotRange {
  uint32_t slot = 0;       // no_slot for a result that is not used
  uint8_t lane_bytes = 4;  // 2, 4, 8 or 16; 0 for a predicate, with one bit a lane
  uint32_t rows = 1;
  uint32_t bytes() const { return lane_bytes == 0 ? 4 : 32u * lane_bytes * rows; }
};

// One function of the program, the entry first. Instructions, basic blocks and ops are numbered continuously,
// function after function.
struct FunctionCode {
  const ptx::Function* function = nullptr;
  uint32_t first_instruction = 0, first_block = 0;
  uint32_t entry_op = 0;
  std::vector<SlotRange> returns, parameters;  // the values that a call passes; the entry has none
  bool on_stack = false;                 // its local variables are on each lane's stack, or it uses alloca
  uint32_t base_slot = 0;                // on_stack: where its variables begin, 64 bits a lane
  std::vector<uint32_t> register_slots;  // if decoded for stepping: those of the function's registers
  uint32_t stack_bytes = 0;
};

struct CallSite {
  uint32_t callee = no_function;  // in Program::functions; none if by address, or a function of the driver
  DeviceCall device_call{};       // of Routine::device_call
  std::vector<SlotRange> results, arguments;
  std::vector<SlotRange> saved;  // what is read after the call, if the callee may call this function again
};

// Where the variables of a module begin. A program that loads several modules gives each its own base.
struct ModuleBase {
  uint64_t global = module_base;
  uint64_t constant = constant_window + guard_bytes;
  bool operator==(const ModuleBase&) const = default;
};

// All variables of a module in memory, including those of its functions, at addresses that all its entries
// share.
std::vector<ModuleVariable> variables_of(const ptx::Module& module, const ModuleBase& base);
// Their size from the base on, including guards.
struct ModuleExtent {
  uint64_t global_bytes = 0, constant_bytes = 0;
};
ModuleExtent extent_of(const ptx::Module& module);

// Data derived from a program that is kept as long as the program exists, such as its machine code. It
// belongs to this program object: a copy starts without any.
class Companions {
 public:
  Companions() = default;
  Companions(const Companions&) {}
  Companions& operator=(const Companions&) { return *this; }
  ~Companions() = default;

  // The companion with this number. `make` creates it at the first call, as a shared pointer. All companions
  // with the same number have the same type.
  template <class Make>
  auto get(size_t which, Make make) const -> decltype(make()) {
    const std::scoped_lock lock(m_mutex);
    std::any& made = m_made[which];
    if (!made.has_value()) made = make();
    return std::any_cast<decltype(make())>(made);
  }

 private:
  mutable std::mutex m_mutex;
  mutable std::map<size_t, std::any> m_made;
};

struct Program {
  std::shared_ptr<const ptx::Module> module;
  const ptx::Function* function = nullptr;  // the entry
  std::vector<FunctionCode> functions;
  std::vector<CallSite> calls;
  std::vector<std::vector<uint32_t>> branch_tables;  // ops
  ControlFlow flow;                                  // of all functions, one after the other
  std::vector<Op> ops;
  // Ops that depend only on launch constants. They run once for each warp of a block when a worker prepares
  // its frames.
  std::vector<Op> prologue;
  // The selector of each op's handlers; empty if no family has it, as for a branch. Shorter than `ops` if the
  // last ops have none.
  std::vector<std::optional<Selector>> selectors;
  const OpsTable* table = nullptr;  // of the handlers
  Companions companions;

  ModuleBase base;
  uint32_t frame_bytes = 0;
  std::vector<ParameterSlot> parameters;
  std::vector<ConstantSlot> constants;
  std::vector<SpecialSlot> launch_specials;  // the same for every block of the launch
  std::vector<SpecialSlot> block_specials;   // set for each block
  std::vector<std::pair<uint32_t, uint32_t>>
      cleared;  // slot, bytes: registers that may be read before they are written

  std::vector<MatrixOp> matrices;
  std::vector<CountedOp> counted;
  std::vector<TextureAccess> textures;  // Op::immediate of texture instructions
  std::vector<ModuleVariable> variables;
  std::vector<SharedVariable> shared_variables;
  std::vector<uint32_t> parameter_offsets;  // per parameter
  uint32_t parameter_bytes = 0;
  uint32_t shared_static_bytes = 0;
  uint32_t local_bytes = 0;               // per thread, variables
  uint32_t stack_bytes = 0;               // per thread, after the variables; 0 if no function needs a stack
  std::vector<uint32_t> function_places;  // per function of the module: index in `functions`, or no_function
  Watching watching = Watching::nothing;
  bool needs_whole_warps = false;  // has instructions that lanes must reach together without waiting
  bool may_spin = false;           // reads memory that others may change meanwhile: atomics, volatile loads
  bool for_stepping = false;       // see DecodeMode
  bool order_dependent = false;    // atomics whose results are used, or that add floats: blocks run in order
  bool calls_runtime = false;      // may launch kernels: core/program/device_calls.def

  const Op* entry() const { return ops.data(); }
  // The function that contains the instruction with this number.
  const FunctionCode& code_of(uint32_t instruction) const;
  const ptx::Instruction& instruction(uint32_t number) const {
    const FunctionCode& code = code_of(number);
    return code.function->instructions[number - code.first_instruction];
  }
  uint32_t instructions() const;
  // The function that has this address; no_function if there is none.
  uint32_t function_at(uint64_t address) const;
};

// The address of a function of the module, as in registers and initial values.
uint64_t address_of_function(uint32_t module_function);
// The function of the module, kernels included, that has this address.
std::optional<uint32_t> module_function_at(const ptx::Module& module, uint64_t address);

struct DecodeResult {
  std::shared_ptr<const Program> program;  // null if there are errors
  std::vector<Diagnostic> diagnostics;
};

// stepping: every instruction has its own op, in the order of the text, and every register is written where
// the PTX writes it: nothing is renamed or moved to the prologue. The results are the same, but it runs a
// little slower.
struct DecodeMode {
  bool stepping = false;
  Watching watching = Watching::nothing;  // which additional ops for a watch it has
  ModuleBase base = {};

  bool operator==(const DecodeMode&) const = default;
  static const DecodeMode for_running, for_stepping;
};
inline constexpr DecodeMode DecodeMode::for_running{};
inline constexpr DecodeMode DecodeMode::for_stepping{.stepping = true};

// Decodes one entry of a module. Instructions that the virtual GPU cannot run are refused here, with their
// lines.
DecodeResult decode(std::shared_ptr<const ptx::Module> module, std::string_view entry, const OpsTable& table,
                    DecodeMode mode = DecodeMode::for_running);

}  // namespace warplens::program
