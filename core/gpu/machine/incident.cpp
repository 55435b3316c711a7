#include "core/gpu/machine/incident.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "core/base/figures.h"
#include "core/program/op/address_space.h"

namespace warplens {

namespace {

using exec::Fault;
using exec::FaultKind;

IncidentKind kind_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::none:
      return IncidentKind::unknown;
    case FaultKind::out_of_bounds:
      return IncidentKind::out_of_bounds;
    case FaultKind::misaligned:
      return IncidentKind::misaligned;
    case FaultKind::read_only:
      return IncidentKind::read_only;
    case FaultKind::barrier_divergence:
      return IncidentKind::barrier_divergence;
    case FaultKind::invalid_barrier:
      return IncidentKind::invalid_barrier;
    case FaultKind::not_in_mask:
      return IncidentKind::mask;
    case FaultKind::invalid_texture:
      return IncidentKind::invalid_texture;
    case FaultKind::surface_bounds:
      return IncidentKind::out_of_bounds;
    case FaultKind::deadlock:
    case FaultKind::missing_lanes:
      return IncidentKind::deadlock;
    case FaultKind::incomplete_warp:
      return IncidentKind::incomplete_warp;
    case FaultKind::step_limit:
      return IncidentKind::step_limit;
    case FaultKind::trap:
      return IncidentKind::trap;
    case FaultKind::stack_overflow:
      return IncidentKind::stack_overflow;
    case FaultKind::assertion:
      return IncidentKind::assertion;
    case FaultKind::invalid_pc:
      return IncidentKind::invalid_pc;
    case FaultKind::invalid_free:
      return IncidentKind::invalid_free;
    case FaultKind::unsupported:
      return IncidentKind::unsupported;
  }
  return IncidentKind::unknown;
}

const char* verb(AccessKind access) {
  switch (access) {
    case AccessKind::load:
      return "reads";
    case AccessKind::store:
      return "writes";
    case AccessKind::atomic:
      return "updates";
  }
  return "";
}

std::string bytes(uint64_t value) { return thousands(value) + (value == 1 ? " byte" : " bytes"); }

constexpr uint64_t null_page = 4096;  // no buffer begins below

// Past all addresses of device memory. Then the distance to the nearest allocation is not helpful.
bool is_beyond_device(uint64_t address, const exec::Allocation& below) {
  return address >= program::kernel_heap_end && below.end <= program::kernel_heap_end;
}

// Describes a global address: past the end of the allocation below it, or not near any.
std::string place_of(uint64_t address, uint64_t accessed, const exec::Memory& memory) {
  if (address < null_page) return fmt::format("address 0x{:x}: a null pointer", address);
  const exec::Allocation* below = memory.nearest_below(address);
  if (below == nullptr) return fmt::format("address 0x{:x}, which belongs to no buffer", address);
  const uint64_t size = below->end - below->begin;
  if (address < below->end && accessed <= below->end - address)
    return fmt::format("which are inside {} ({}), where the kernel may not access them", below->name,
                       bytes(size));
  if (address < below->end) {
    return fmt::format("the last {} of {} and past its end ({})", bytes(below->end - address), below->name,
                       bytes(size));
  }
  if (is_beyond_device(address, *below))
    return fmt::format("address 0x{:x}, which is no address of the device", address);
  if (address == below->end) return fmt::format("just past the end of {} ({})", below->name, bytes(size));
  return fmt::format("{} past the end of {} ({})", bytes(address - below->end), below->name, bytes(size));
}

// An offset in shared, local or parameter memory. It has 32 bits, of which the upper half is below the start.
std::string offset_text(uint64_t address) {
  const auto low = static_cast<int32_t>(address);
  const bool before = low < 0 && address >> 32 == 0;
  return before ? fmt::format("-{}, before its start", thousands(0u - static_cast<uint32_t>(low)))
                : thousands(address) + ", past its end";
}

// The array that the access was meant for, as far as its address shows.
void add_array(Incident& incident, const Fault& fault, const exec::Memory& memory) {
  if (fault.space != Space::global || fault.address < null_page) return;
  const exec::Allocation* array = array_near(memory, fault.address);
  if (array == nullptr || array->name.empty()) return;
  incident.allocation = array->name;
  incident.offset = fault.address - array->begin;
}

std::string_view bounds_advice(uint64_t address, const exec::Memory& memory) {
  if (address < null_page) return "Pass the address of an array that is allocated on the device.";
  const exec::Allocation* array = array_near(memory, address);
  if (array == nullptr || array->name == "malloc") return address_advice;
  return index_advice;
}

std::string at(Dim3 p) { return fmt::format("({},{},{})", p.x, p.y, p.z); }

// "lanes 0 to 15, 20" for the lanes of a mask.
std::string lanes_text(uint32_t mask) {
  std::string text;
  for (uint32_t lane = 0; lane < warp_lanes;) {
    if ((mask >> lane & 1) == 0) {
      ++lane;
      continue;
    }
    const uint32_t first = lane;
    while (lane < warp_lanes && (mask >> lane & 1) != 0) ++lane;
    text += text.empty() ? "" : ", ";
    text += first + 1 == lane ? fmt::format("{}", first) : fmt::format("{} to {}", first, lane - 1);
  }
  return fmt::format("{} {}", std::popcount(mask) == 1 ? "lane" : "lanes", text);
}

std::string instruction_text(const program::Program& program, const exec::Op* op) {
  const ptx::Function& function = *program.code_of(op->instruction).function;
  const ptx::Instruction& instruction = program.instruction(op->instruction);
  std::string text(ptx::text_of(instruction.opcode));
  for (ptx::Modifier m : function.modifiers_of(instruction)) text += fmt::format(".{}", ptx::text_of(m));
  return text;
}

// "kernel.cu:8"; for inlined code, its own line, unless that is in a library's header. If that is not known,
// the line of the PTX.
std::string line_text(const program::Program& program, const exec::Op* op) {
  const SourcePlace source = message_place(program, op->instruction).place;
  if (source.line != 0) return fmt::format("{}:{}", source.file, source.line);
  return fmt::format("line {} of the PTX", program.instruction(op->instruction).line);
}

// Describes lanes that wait for other lanes of their warp which wait elsewhere: the lanes, the places, and
// the lanes that they wait for.
std::string missing_lanes_sentence(const Fault& fault, const program::Program& program,
                                   const std::string& who) {
  const auto mask = static_cast<uint32_t>(fault.address);
  std::string text =
      fmt::format("{} waits at {} for the {} that its mask 0x{:08x} names, and some never come: ", who,
                  instruction_text(program, fault.op), lanes_text(mask), mask);
  for (size_t i = 0; i < fault.others.size(); ++i) {
    const exec::OtherLanes& other = fault.others[i];
    text += fmt::format("{}{} {} at {} in {}", i == 0 ? "" : "; ", lanes_text(other.lanes),
                        std::popcount(other.lanes) == 1 ? "waits" : "wait",
                        instruction_text(program, other.op), line_text(program, other.op));
    if (other.at_sync) text += fmt::format(" with mask 0x{:08x}", other.mask);
  }
  return text + ". All lanes that a mask names must come to the same instruction with the same mask.";
}

// "warps 0 to 3 at barrier 1 in kernel.cu:12; warp 4 at …".
std::string waiting_warps(const Fault& fault, const program::Program& program) {
  std::string text;
  for (size_t i = 0; i < fault.others.size();) {
    const exec::OtherLanes& first = fault.others[i];
    size_t end = i + 1;
    while (end < fault.others.size() && fault.others[end].op == first.op &&
           fault.others[end].mask == first.mask && fault.others[end].warp == fault.others[end - 1].warp + 1) {
      ++end;
    }
    const uint32_t last = fault.others[end - 1].warp;
    text += fmt::format("{}{} at barrier {} in {}", i == 0 ? "" : "; ",
                        first.warp == last ? fmt::format("warp {}", first.warp)
                                           : fmt::format("warps {} to {}", first.warp, last),
                        first.mask, line_text(program, first.op));
    i = end;
  }
  return text;
}

// Whether a trap is that of cooperative groups: the code asks for the grid's workspace, which only a
// cooperative launch has.
bool is_grid_sync(const program::Program& program, const exec::Op* op) {
  const ptx::Function& function = *program.code_of(op->instruction).function;
  const bool asks = std::ranges::any_of(function.operands, [](const ptx::Operand& operand) {
    return operand.kind == ptx::OperandKind::special &&
           operand.index == static_cast<uint32_t>(ptx::SpecialRegister::envreg2);
  });
  if (!asks) return false;
  const MessagePlace at = message_place(program, op->instruction);
  return at.place.line == 0 || is_library_header(at.place.file) || !at.inside.empty();
}

std::string sentence(const Fault& fault, const program::Program& program, const exec::Memory& memory,
                     Dim3 block, Dim3 thread) {
  const std::string who = fmt::format("block {} thread {}", at(block), at(thread));
  const std::string what = fmt::format("{} {} {}", who, verb(fault.access), bytes(fault.bytes));
  switch (fault.kind) {
    case FaultKind::out_of_bounds:
      if (fault.space == Space::global)
        return fmt::format("{}, {}. {}", what, place_of(fault.address, fault.bytes, memory),
                           bounds_advice(fault.address, memory));
      return fmt::format(
          "{} of {} memory at offset {}. {}", what, to_string(fault.space), offset_text(fault.address),
          fault.space == Space::shared ? "Test the index, or ask for more shared bytes in the launch."
                                       : "Test the index against the size of the array.");
    case FaultKind::misaligned:
      return fmt::format(
          "{} of {} memory at 0x{:x}, which is not a multiple of {}. Read it in "
          "smaller pieces, or let the address start at a multiple.",
          what, to_string(fault.space), fault.address, fault.bytes);
    case FaultKind::read_only:
      return fmt::format(
          "{} of constant memory, which a kernel cannot change. Write to an "
          "array in global memory.",
          what);
    case FaultKind::barrier_divergence:
      return fmt::format(
          "{} waits at a barrier that {} of its warp's lanes do not reach with it: every thread of the block "
          "must reach the same __syncthreads().",
          who, std::popcount(static_cast<uint32_t>(fault.address)));
    case FaultKind::deadlock:
      return fmt::format(
          "{} waits at barrier {} with {} warps, and no other warp of the block can ever arrive: all threads "
          "of the block wait forever. Waiting: {}. Let as many threads come to each barrier as it "
          "waits for.",
          who, fault.address, fault.bytes, waiting_warps(fault, program));
    case FaultKind::not_in_mask:
      return fmt::format(
          "{} runs {} with the mask 0x{:08x}, which leaves it out: every lane must be named in its own mask. "
          "The hardware stops there with CUDA_ERROR_ILLEGAL_INSTRUCTION.",
          who, instruction_text(program, fault.op), fault.address);
    case FaultKind::invalid_barrier:
    case FaultKind::invalid_texture:
    case FaultKind::surface_bounds:
      return fmt::format("{} {}", who, fault.detail);
    case FaultKind::incomplete_warp:
      return fmt::format(
          "{} comes to {} with {} of its warp's 32 lanes: all must execute it together. Launch whole warps, "
          "and take it out of branches on which lanes differ.",
          who, instruction_text(program, fault.op), fault.active);
    case FaultKind::missing_lanes:
      return missing_lanes_sentence(fault, program, who);
    case FaultKind::step_limit:
      if (fault.op == nullptr)
        return fmt::format(
            "the kernel had used up its step budget before block {} ran. Raise the budget if the kernel only "
            "needs longer, or launch fewer blocks.",
            at(block));
      return fmt::format(
          "block {} was still running when the kernel had used up its step budget: it may loop forever. "
          "Raise the budget if it only needs longer.",
          at(block));
    case FaultKind::trap:
      if (fault.detail.empty() && is_grid_sync(program, fault.op))
        return fmt::format(
            "{} calls grid.sync(), or another function of a grid group, in a launch that is not cooperative, "
            "and is "
            "stopped there by a trap. Launch the kernel with cudaLaunchCooperativeKernel().",
            who);
      return fmt::format("{} executes a {}.", who, fault.detail.empty() ? "trap" : fault.detail);
    case FaultKind::stack_overflow:
      return fmt::format(
          "{} overflows its stack of {}: its calls are nested too deeply. CUDA itself gives a thread 1,024 "
          "bytes unless the program asks for more with cudaDeviceSetLimit(cudaLimitStackSize, …).",
          who, bytes(program.stack_bytes));
    case FaultKind::invalid_pc:
      if (fault.detail == "the table of a brx.idx")
        return fmt::format("{} jumps to entry {} of a table that has no such entry.", who, fault.address);
      if (!fault.detail.empty()) {
        return fmt::format("{} calls {} by its address with other parameters than it takes.", who,
                           fault.detail);
      }
      return fmt::format("{} calls a function at address 0x{:x}, where there is none.", who, fault.address);
    case FaultKind::invalid_free:
      return fmt::format("{} frees address 0x{:x}, {}.", who, fault.address, fault.detail);
    default:
      return fault.detail;
  }
}

// The calling location outside CUDA's own functions for textures, surfaces and similar, which have no source
// file.
uint32_t outside_the_compiler(const ptx::Module& module, uint32_t index) {
  for (;;) {
    const ptx::SourceFile* file = module.find_file(module.locations[index].file);
    const uint32_t caller = module.locations[index].inlined_at;
    if (file == nullptr || caller == 0 || !file->name.ends_with("__nv_nvrtc_builtin_header.h")) return index;
    index = caller;
  }
}

// The index of the instruction's location. 0 if there is none.
uint32_t location_of(const program::Program& program, uint32_t instruction) {
  const ptx::Module& module = *program.module;
  if (module.locations.size() < 2) return 0;  // the first one means "none"
  const program::FunctionCode& code = program.code_of(instruction);
  const auto& instructions = code.function->instructions;
  // "Line 0" marks code that belongs to no line of its own, such as moved address arithmetic.
  for (uint32_t i = instruction - code.first_instruction + 1; i-- > 0;) {
    const uint32_t index = instructions[i].location;
    if (index != 0 && module.locations[index].line != 0) return outside_the_compiler(module, index);
  }
  return 0;
}

SourcePlace place_of_location(const ptx::Module& module, uint32_t index) {
  const ptx::Location& location = module.locations[index];
  const ptx::SourceFile* file = module.find_file(location.file);
  return {file == nullptr ? std::string() : file->name, location.line};
}

}  // namespace

SourcePlace source_place(const program::Program& program, uint32_t instruction) {
  const uint32_t index = location_of(program, instruction);
  return index == 0 ? SourcePlace{} : place_of_location(*program.module, index);
}

bool is_library_header(std::string_view file) {
  // Folders in which compilers, the toolkit, systems and Python keep what they install.
  static constexpr std::array<std::string_view, 4> roots = {"/usr/include/", "/usr/lib/",
                                                            "/usr/local/include/", "/opt/conda/include/"};
  static constexpr std::array<std::string_view, 9> parts = {"/site-packages/",
                                                            "/dist-packages/",
                                                            "/targets/x86_64-linux/include/",
                                                            "/targets/sbsa-linux/include/",
                                                            "/include/cccl/",
                                                            "/include/crt/",
                                                            "/lib/clang/",
                                                            "/cuda/include/",
                                                            "/.cache/warplens/"};
  const bool in_toolkit = file.starts_with("/usr/local/cuda") && file.find("/include/") != file.npos;
  return in_toolkit ||
         std::ranges::any_of(roots, [&](std::string_view root) { return file.starts_with(root); }) ||
         std::ranges::any_of(parts, [&](std::string_view part) { return file.find(part) != file.npos; });
}

MessagePlace message_place(const program::Program& program, uint32_t instruction) {
  constexpr size_t deepest = 64;
  const ptx::Module& module = *program.module;
  std::vector<SourcePlace> frames;  // the innermost first
  for (uint32_t at = location_of(program, instruction); at != 0 && frames.size() < deepest;
       at = module.locations[at].inlined_at)
    frames.push_back(place_of_location(module, at));
  if (frames.empty()) return {};
  auto own = std::ranges::find_if(frames, [](const SourcePlace& f) { return !is_library_header(f.file); });
  if (own == frames.end()) own = frames.begin();  // a kernel of a library
  MessagePlace found{.place = *own, .inside = {frames.begin(), own}, .inlined_at = {own + 1, frames.end()}};
  std::ranges::reverse(found.inside);
  return found;
}

std::string header_words(const program::Program& program, uint32_t instruction) {
  constexpr size_t most_frames = 4;
  const std::vector<SourcePlace> inside = message_place(program, instruction).inside;
  std::string text;
  for (size_t i = inside.size(); i-- > 0 && inside.size() - i <= most_frames;) {
    const size_t slash = inside[i].file.rfind('/');
    const std::string_view name =
        std::string_view(inside[i].file).substr(slash == std::string::npos ? 0 : slash + 1);
    text += fmt::format("{}{}:{}", text.empty() ? " This is in " : ", called at ", name, inside[i].line);
  }
  return text.empty() ? text : text + ".";
}

void set_place(Incident& incident, const program::Program& program, uint32_t instruction) {
  const MessagePlace found = message_place(program, instruction);
  incident.file = found.place.file;
  incident.line = found.place.line;
  incident.ptx_line = program.instruction(instruction).line;
  for (const SourcePlace& frame : found.inlined_at) incident.inlined_at.push_back({frame.file, frame.line});
}

const exec::Allocation* array_near(const exec::Memory& memory, uint64_t address) {
  if (const exec::Allocation* array = memory.find(address)) return array;
  const exec::Allocation* below = memory.nearest_below(address);
  return below == nullptr || is_beyond_device(address, *below) ? nullptr : below;
}

Incident describe(const Fault& fault, const program::Program& program, const exec::Memory& memory,
                  Dim3 block_position, Dim3 block_extent) {
  Incident incident;
  incident.kind = kind_of(fault.kind);
  incident.block = block_position;
  incident.thread = position_at(uint64_t{fault.warp} * warp_lanes + fault.lane, block_extent);
  const bool is_access = fault.kind == FaultKind::out_of_bounds || fault.kind == FaultKind::misaligned ||
                         fault.kind == FaultKind::read_only;
  if (is_access) {
    incident.address = fault.address;
    incident.bytes = fault.bytes;
    add_array(incident, fault, memory);
  }
  if (fault.op != nullptr) {
    set_place(incident, program, fault.op->instruction);
  }
  incident.message = sentence(fault, program, memory, block_position, incident.thread);
  if (fault.op != nullptr) incident.message += header_words(program, fault.op->instruction);
  return incident;
}

}  // namespace warplens
