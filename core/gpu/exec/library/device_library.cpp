// The functions that every CUDA program has without defining them: vprintf, malloc, free and __assertfail
// (CUDA C++ Programming Guide, "Formatted Output", "Dynamic Global Memory Allocation" and "Assertion").
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <string>

#include "core/gpu/exec/library/call_values.h"
#include "core/gpu/exec/library/printf_format.h"
#include "core/gpu/exec/state/console.h"
#include "core/gpu/exec/state/memory.h"
#include "core/gpu/exec/state/passed_faults.h"
#include "core/gpu/exec/state/routines.h"
#include "core/gpu/exec/state/warp.h"
#include "core/gpu/exec/state/watch.h"
#include "core/program/op/call_op.h"
#include "core/program/program.h"

namespace warplens::exec {

std::span<const std::byte> bytes_at(const Warp& warp, uint32_t lane, uint64_t address) {
  const BlockContext& block = *warp.block;
  const auto part = [&](const std::byte* from, uint64_t size, uint64_t at) {
    return at < size ? std::span(from + at, size - at) : std::span<const std::byte>();
  };
  if (address - shared_window < window_bytes)
    return part(block.shared, block.shared_bytes, address - shared_window);
  if (address - local_window < window_bytes) {
    return part(warp.local + uint64_t{lane} * block.local_bytes, block.local_bytes, address - local_window);
  }
  if (address - parameter_window < window_bytes)
    return part(block.parameters, block.parameter_bytes, address - parameter_window);
  const Allocation* allocation = block.memory->find(address);
  if (allocation == nullptr) return {};
  return part(allocation->host, allocation->end - allocation->begin, address - allocation->begin);
}

namespace {

// The limit of a string; longer ones are not useful.
constexpr size_t longest_string = size_t{1} << 16;

bool string_at(const Warp& warp, uint32_t lane, uint64_t address, std::string& text) {
  const std::span<const std::byte> bytes = bytes_at(warp, lane, address);
  if (bytes.empty()) return false;
  const auto* first = reinterpret_cast<const char*>(bytes.data());
  text.assign(first, strnlen(first, std::min(bytes.size(), longest_string)));
  return true;
}

// False if the fault is raised; if the launch goes on after it, the function returns -1.
bool bad_read(const Op* op, Warp& warp, uint32_t lane, uint64_t address) {
  raise(warp, {.kind = FaultKind::out_of_bounds,
               .op = op,
               .lane = lane,
               .address = address,
               .bytes = 1,
               .detail = {}});
  if (!pass_fault(warp)) return false;
  set_result(op, warp, lane, static_cast<uint32_t>(-1));
  return true;
}

// One lane's printf. False if it read an invalid address; then the fault is raised.
bool print(const Op* op, Warp& warp, uint32_t lane) {
  const uint64_t format_at = argument(op, warp, 0, lane), arguments_at = argument(op, warp, 1, lane);
  if (format_at == 0) {
    set_result(op, warp, lane, static_cast<uint32_t>(-1));
    return true;
  }
  std::string format;
  if (!string_at(warp, lane, format_at, format)) return bad_read(op, warp, lane, format_at);
  const std::span<const std::byte> values = bytes_at(warp, lane, arguments_at);
  PrintfArguments arguments;
  arguments.read = [&](uint64_t offset, uint32_t bytes, uint64_t& value) {
    if (offset + bytes > values.size()) return false;
    std::memcpy(&value, values.data() + offset, bytes);
    return true;
  };
  arguments.read_string = [&](uint64_t at, std::string& text) { return string_at(warp, lane, at, text); };
  const PrintfResult result = format_printf(format, arguments);
  if (!result.readable)
    return bad_read(op, warp, lane, result.bad_address != 0 ? result.bad_address : arguments_at);
  if (warp.block->console != nullptr) warp.block->console->append(result.text);
  set_result(op, warp, lane, static_cast<uint32_t>(result.parsed));
  return true;
}

template <class F>
const Op* for_each_lane(const Op* op, const Warp& warp, F f) {
  for (uint32_t rest = warp.mask; rest != 0; rest &= rest - 1) {
    if (!f(static_cast<uint32_t>(std::countr_zero(rest)))) return nullptr;
  }
  return op + 1;
}

}  // namespace

const Op* run_vprintf(const Op* op, Warp& warp) {
  return for_each_lane(op, warp, [&](uint32_t lane) { return print(op, warp, lane); });
}

const Op* run_malloc(const Op* op, Warp& warp) {
  return for_each_lane(op, warp, [&](uint32_t lane) {
    const uint64_t bytes = argument(op, warp, 0, lane);
    const uint64_t address = warp.block->memory->allocate_from_kernel(bytes);
    if (warp.block->notes != nullptr && address != 0)
      warp.block->notes->allocate(*op, warp, lane, address, bytes);
    set_result(op, warp, lane, address);
    return true;
  });
}

const Op* run_free(const Op* op, Warp& warp) {
  return for_each_lane(op, warp, [&](uint32_t lane) {
    const uint64_t address = argument(op, warp, 0, lane);
    const FreeResult result = warp.block->memory->free_from_kernel(address);
    if (result == FreeResult::done && warp.block->notes != nullptr) warp.block->notes->release(address);
    if (result == FreeResult::done) return true;
    raise(warp,
          {.kind = FaultKind::invalid_free,
           .op = op,
           .lane = lane,
           .address = address,
           .detail = result == FreeResult::twice ? "which was freed already" : "which malloc did not give"});
    return false;
  });
}

// __assertfail(message, file, line, function, character size), with the same text as the driver's.
const Op* run_assert_fail(const Op* op, Warp& warp) {
  const auto lane = static_cast<uint32_t>(std::countr_zero(warp.mask));
  std::string message = "?", file = "?", function = "?";
  string_at(warp, lane, argument(op, warp, 0, lane), message);
  string_at(warp, lane, argument(op, warp, 1, lane), file);
  string_at(warp, lane, argument(op, warp, 3, lane), function);
  const Dim3 block = warp.block->block_position;
  const Dim3 thread = position_at(uint64_t{warp.index} * warp_lanes + lane, warp.block->block_extent);
  return raise(
      warp, {.kind = FaultKind::assertion,
             .op = op,
             .lane = lane,
             .detail = fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.",
                                   file, argument(op, warp, 2, lane) & 0xffffffff, function, block.x, block.y,
                                   block.z, thread.x, thread.y, thread.z, message)});
}

}  // namespace warplens::exec
