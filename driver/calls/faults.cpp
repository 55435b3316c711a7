#include "driver/calls/faults.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include "core/gpu/machine/incident.h"
#include "driver/calls/blocks.h"

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
      return CUDA_ERROR_LAUNCH_TIMEOUT;  // what a GPU with a display gives: it waits for ever
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

bool is_mapped_by_host(uint64_t address) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(address / page * page), 1, &resident) == 0;
}

// What the driver knows of an address beyond the allocations that are there.
std::string more_of(Gpu& device, uint64_t address) {
  for (auto freed = device.freed.rbegin(); freed != device.freed.rend(); ++freed) {
    if (address >= freed->begin && address < freed->end)
      return fmt::format(
          " The address lies in array {}, which was freed: free it after the kernel's last use.",
          freed->number);
  }
  if (address >= program::kernel_heap_end && is_mapped_by_host(address)) {
    return " The address is one of the host's memory, which a kernel cannot read: copy the array to the "
           "device first, "
           "or use pinned or managed memory.";
  }
  return {};
}

}  // namespace

CUresult tell_fault(Gpu& device, const Function& function, const exec::GridOutcome& outcome, Dim3 block) {
  const CUresult code = code_of(outcome.fault.kind);
  Incident incident = describe(outcome.fault, *function.program, device.memory, outcome.fault_block, block);
  const bool is_place =
      outcome.fault.kind == exec::FaultKind::out_of_bounds && outcome.fault.space == Space::global;
  if (is_place) incident.message += more_of(device, outcome.fault.address);
  if (outcome.fault.kind == exec::FaultKind::step_limit)
    incident.message += " (warplens program --steps, 0 for no limit)";
  device.tell(to_string(incident.kind), code, incident.message, function.name, incident.file, incident.line);
  return code;
}

}  // namespace warplens::driver
