#include "cuda/stand_in/driver/calls/fault_cause.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/base/figures.h"
#include "core/program/op/address_space.h"
#include "cuda/stand_in/driver/calls/peers.h"
#include "cuda/stand_in/driver/state/host_place.h"

namespace warplens::driver {

namespace {

constexpr int64_t two_to_32 = int64_t{1} << 32, two_to_31 = int64_t{1} << 31;
// An index this near to the end of its type's range comes from there.
constexpr int64_t near_the_end = int64_t{1} << 20;

// The parameters as numbers: whole ones, and the words of structures.
std::vector<uint64_t> words_of(const Function& function, const std::vector<std::byte>& parameters) {
  std::vector<uint64_t> words;
  for (size_t i = 0; i < function.code->parameters.size(); ++i) {
    const size_t bytes = function.code->parameters[i].bytes;
    for (size_t at = 0; at < bytes; at += 8) {
      uint64_t word = 0;
      std::memcpy(&word, parameters.data() + function.program->parameter_offsets[i] + at,
                  std::min<size_t>(bytes - at, sizeof word));
      words.push_back(word);
    }
  }
  return words;
}

// The object was made by the host, whose functions a kernel cannot call; or a host function was passed.
std::string symbol_cause(uint64_t address) {
  const std::string symbol = host_symbol(static_cast<uintptr_t>(address));
  constexpr std::string_view table = "vtable for ";
  if (symbol.starts_with(table))
    return fmt::format(
        " The address is in the table of virtual functions of {} on the host: the host made the object, so "
        "its "
        "virtual functions are the host's. Make the object in a kernel, with new, or do without virtual "
        "functions.",
        symbol.substr(table.size()));
  if (symbol.ends_with(')'))
    return fmt::format(
        " The address is that of the host's function {}: take the address of a __device__ function in a "
        "kernel, or "
        "copy it from a __device__ variable with cudaMemcpyFromSymbol.",
        symbol);
  if (!symbol.empty())
    return fmt::format(
        " The address is that of the host's variable {}: copy it to the device first, or declare it "
        "__device__ or __managed__.",
        symbol);
  return {};
}

std::string pitch_cause(const Block& block, const exec::Fault& fault, const std::vector<uint64_t>& words) {
  if (block.pitch == 0 || fault.bytes < 2 || std::ranges::find(words, block.pitch) == words.end()) return {};
  const uint64_t offset = fault.address - block.allocation->begin;
  const uint64_t index = offset / fault.bytes;
  const bool is_in_shape =
      index / block.pitch < block.bytes / block.pitch && index % block.pitch * fault.bytes < block.pitch;
  if (fault.address < block.allocation->begin || offset < block.bytes || !is_in_shape) return {};
  return fmt::format(
      " The pitch of {}, {}, is in bytes, and here it counts elements of {} bytes: row y of an array of T "
      "begins at "
      "(T*)((char*)p + y * pitch).",
      block.allocation->name, thousands(block.pitch), fault.bytes);
}

std::string signed_text(int64_t value) {
  return value < 0 ? "-" + thousands(static_cast<uint64_t>(-value)) : thousands(static_cast<uint64_t>(value));
}

// `array` is the address that the kernel was given.
std::string index_cause(const Block& block, uint64_t array, const exec::Fault& fault) {
  const auto distance = static_cast<int64_t>(fault.address - array);
  if (fault.bytes == 0 || distance % fault.bytes != 0) return {};
  const int64_t index = distance / fault.bytes;
  const auto count = static_cast<int64_t>((block.allocation->begin + block.bytes - array) / fault.bytes);
  constexpr const char* in_64_bits =
      "Compute it in 64 bits, as in size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x.";
  if (index >= two_to_32 - near_the_end && index < two_to_32)
    return fmt::format(
        " The index is {}, which is {} in unsigned 32 bits: it went below 0. Test for that before the "
        "access.",
        signed_text(index), signed_text(index - two_to_32));
  if (index < -near_the_end && index >= -two_to_31 && index + two_to_32 < count)
    return fmt::format(
        " The index is {}: element {} was meant, and an int of 32 bits cannot hold that number. {}",
        signed_text(index), signed_text(index + two_to_32), in_64_bits);
  if (index >= -two_to_31 && index < -two_to_31 + near_the_end)
    return fmt::format(" The index is {}: a sum or product became too large for an int of 32 bits. {}",
                       signed_text(index), in_64_bits);
  return {};
}

}  // namespace

std::string cause_of(Gpu& device, const Function& function, const exec::Fault& fault,
                     const std::vector<std::byte>& parameters) {
  if (fault.kind == exec::FaultKind::invalid_pc) return symbol_cause(fault.address);
  if (fault.kind != exec::FaultKind::out_of_bounds || fault.space != Space::global) return {};
  if (fault.address >= program::kernel_heap_end) {
    if (std::string cause = symbol_cause(fault.address); !cause.empty()) return cause;
  }
  if (const Block* block = device.block_of(fault.address);
      block != nullptr && !may_use(device, *function.module->context, *block))
    return words_on_reach(*function.module->context, *block);
  const std::vector<uint64_t> words = words_of(function, parameters);
  for (const uint64_t word : words) {
    const Block* block = device.block_of(word);
    if (block == nullptr) continue;
    std::string cause = pitch_cause(*block, fault, words);
    if (cause.empty()) cause = index_cause(*block, word, fault);
    if (!cause.empty()) return cause;
  }
  return {};
}

}  // namespace warplens::driver
