#include "cuda/stand_in/driver/calls/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include "core/base/figures.h"
#include "core/base/text.h"
#include "core/gpu/machine/incident.h"
#include "core/gpu/machine/passed.h"
#include "core/recording/event.h"
#include "core/recording/launch_source.h"
#include "core/recording/parameter_names.h"
#include "cuda/stand_in/driver/calls/blocks.h"
#include "cuda/stand_in/driver/calls/fault_cause.h"
#include "cuda/stand_in/driver/calls/host_address.h"

namespace warplens::driver {

namespace {

CUresult code_of(exec::FaultKind kind) {
  switch (kind) {
    case exec::FaultKind::out_of_bounds:
    case exec::FaultKind::read_only:
    case exec::FaultKind::surface_bounds:
    case exec::FaultKind::invalid_free:
      return CUDA_ERROR_ILLEGAL_ADDRESS;
    case exec::FaultKind::misaligned:
      return CUDA_ERROR_MISALIGNED_ADDRESS;
    case exec::FaultKind::deadlock:
    case exec::FaultKind::step_limit:
    case exec::FaultKind::missing_lanes:
    case exec::FaultKind::barrier_divergence:
      return CUDA_ERROR_LAUNCH_TIMEOUT;  // what a GPU with a display gives: it never ends
    case exec::FaultKind::not_in_mask:
    case exec::FaultKind::incomplete_warp:
    case exec::FaultKind::invalid_barrier:
    case exec::FaultKind::invalid_texture:
    case exec::FaultKind::unsupported:
      return CUDA_ERROR_ILLEGAL_INSTRUCTION;
    case exec::FaultKind::stack_overflow:
      return CUDA_ERROR_HARDWARE_STACK_ERROR;
    case exec::FaultKind::invalid_pc:
      return CUDA_ERROR_INVALID_PC;
    case exec::FaultKind::assertion:
      return CUDA_ERROR_ASSERT;
    default:
      return CUDA_ERROR_LAUNCH_FAILED;
  }
}

// What the driver knows of an address outside of all allocations.
std::string more_of(Gpu& device, uint64_t address) {
  for (auto freed = device.freed.rbegin(); freed != device.freed.rend(); ++freed) {
    if (address >= freed->begin && address < freed->end)
      return fmt::format(
          " The address lies in array {}, which was freed: free it after the kernel's last use.",
          freed->number);
  }
  const auto host = address >= program::kernel_heap_end ? host_address(device, address) : std::nullopt;
  if (host && host->what.starts_with("a "))
    return fmt::format(" The address is that of {}. {}", host->what, host->advice);
  if (host) {
    return " The address is one of the host's memory, which a kernel cannot read: copy the array to the "
           "device first, "
           "or use pinned or managed memory.";
  }
  return {};
}

// At most 8 of a parameter's bytes, as a number.
uint64_t value_of(const Function& function, size_t parameter, const std::vector<std::byte>& parameters) {
  uint64_t value = 0;
  std::memcpy(&value, parameters.data() + function.program->parameter_offsets[parameter],
              std::min<size_t>(function.code->parameters[parameter].bytes, sizeof value));
  return value;
}

// " The element is src[1000]." of an access past the end of src, where the kernel's source is there to be
// read.
std::string element_of(const Gpu& device, const Function& function, uint64_t address,
                       const std::vector<std::byte>& parameters) {
  const exec::Allocation* array = array_near(device.memory, address);
  if (array == nullptr || function.source_line == 0) return {};
  const std::vector<std::string> names = recording::parameter_names(
      recording::read_source({function.source_file, function.source_line, function.source_line}));
  std::vector<uint64_t> values;
  for (size_t i = 0; i < function.code->parameters.size(); ++i) {
    values.push_back(value_of(function, i, parameters));
  }
  const std::string text =
      recording::element_text({function.code->name, names, values, array->begin, array->end, address});
  return text.empty() ? text : fmt::format(" The element is {}.", text);
}

// " The array was allocated at main.cu:12." of an access past its end, and that bytes are meant, where it has
// as many as the kernel is given as a number.
std::string allocation_of(Gpu& device, const Function& function, const exec::Fault& fault,
                          const std::vector<std::byte>& parameters) {
  const exec::Allocation* array = array_near(device.memory, fault.address);
  const Block* block = array == nullptr ? nullptr : device.block_of(array->begin);
  if (block == nullptr) return {};
  std::string text;
  if (block->place != nullptr)
    text = fmt::format(" The array was allocated at {}.", recording::place_text(*block->place));
  bool is_count = false;
  for (size_t i = 0; i < function.code->parameters.size(); ++i)
    is_count = is_count || value_of(function, i, parameters) == block->bytes;
  const uint64_t offset = fault.address - array->begin;
  if (is_count && fault.bytes > 1 && offset >= block->bytes && offset / fault.bytes < block->bytes)
    text += fmt::format(
        " It has {0} bytes, and the kernel is given the number {0}: for {0} elements allocate {0} * {1} "
        "bytes.",
        thousands(block->bytes), fault.bytes);
  return text;
}

Incident incident_of(Gpu& device, const Function& function, const exec::Fault& fault, Dim3 fault_block,
                     Dim3 block, const std::vector<std::byte>& parameters) {
  Incident incident = describe(fault, *function.program, device.memory, fault_block, block);
  const std::string cause = cause_of(device, function, fault, parameters);
  for (const std::string_view otherwise : {index_advice, address_advice})
    if (!cause.empty())
      incident.message = replace_all(std::move(incident.message), fmt::format(" {}", otherwise), "");
  if (fault.kind == exec::FaultKind::out_of_bounds && fault.space == Space::global) {
    incident.message += element_of(device, function, fault.address, parameters);
    incident.message += allocation_of(device, function, fault, parameters);
    if (cause.empty()) incident.message += more_of(device, fault.address);
  }
  incident.message += cause;
  return incident;
}

}  // namespace

CUresult tell_fault(Gpu& device, const Function& function, const exec::GridOutcome& outcome, Dim3 block,
                    const std::vector<std::byte>& parameters) {
  const CUresult code = code_of(outcome.fault.kind);
  Incident incident = incident_of(device, function, outcome.fault, outcome.fault_block, block, parameters);
  if (outcome.fault.kind == exec::FaultKind::step_limit)
    incident.message += " (warplens program --steps, 0 for no limit)";
  tell_incident(device, function, incident, code);
  return code;
}

void tell_passed(Gpu& device, const Function& function, const exec::PassedFaults& passed, Dim3 block,
                 const std::vector<std::byte>& parameters) {
  const auto described = [&](const exec::Fault& fault, Dim3 fault_block) {
    return incident_of(device, function, fault, fault_block, block, parameters);
  };
  for (const Incident& incident : incidents_of(passed, *function.program, described))
    tell_incident(device, function, incident, CUDA_SUCCESS);
}

void tell_incident(Gpu& device, const Function& function, const Incident& incident, CUresult code) {
  constexpr size_t most_frames = 4;
  std::string frames;
  for (size_t i = 0; i < std::min(incident.inlined_at.size(), most_frames); ++i)
    frames += fmt::format("{}inlined at {}", i == 0 ? " (" : ", ",
                          recording::place_text(incident.inlined_at[i].file, incident.inlined_at[i].line));
  if (!frames.empty()) frames += ")";
  device.tell(to_string(incident.kind), code, incident.message + frames, function.name, incident.file,
              incident.line);
}

void tell_parted(Gpu& device, const Function& function, const exec::PartedWarps& parted, Dim3 block) {
  Incident incident = describe(parted.fault, *function.program, device.memory, parted.block, block);
  incident.message +=
      " This GPU waits there for all threads that have not exited, and goes on; others do not.";
  tell_incident(device, function, incident, CUDA_SUCCESS);
}

}  // namespace warplens::driver
