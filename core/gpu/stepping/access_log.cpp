#include "core/gpu/stepping/access_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace warplens::stepping {
namespace {

DType element_of(const SharedArray& array) {
  switch (array.element_bytes) {
    case 8:
      return array.is_float ? DType::f64 : array.is_signed ? DType::i64 : DType::u64;
    case 4:
      return array.is_float ? DType::f32 : array.is_signed ? DType::i32 : DType::u32;
    case 2:
      return array.is_float ? DType::f16 : array.is_signed ? DType::i16 : DType::u16;
    default:
      return array.is_signed ? DType::i8 : DType::u8;
  }
}

bool inside(const NamedArray& array, Space space, uint64_t address) {
  return array.space == space && address >= array.address && address - array.address < array.bytes;
}

// For several dimensions, an index for each.
std::string index_text(const NamedArray& array, uint64_t element) {
  if (array.extents.size() < 2) return fmt::format("[{}]", element);
  std::string text;
  uint64_t below = 1;
  for (size_t i = 1; i < array.extents.size(); ++i) below *= std::max<uint64_t>(1, array.extents[i]);
  for (size_t i = 0; i < array.extents.size(); ++i) {
    text += fmt::format("[{}]", element / below);
    element %= below;
    if (i + 1 < array.extents.size()) below /= std::max<uint64_t>(1, array.extents[i + 1]);
  }
  return text;
}

}  // namespace

std::vector<LoggedAccess> accesses_here(const BlockStepper& stepper) {
  std::vector<LoggedAccess> all;
  const auto trace = stepper.trace();
  const uint64_t position = stepper.position();
  if (position == 0 || position > trace.size()) return all;
  const TraceEntry& entry = trace[static_cast<size_t>(position - 1)];
  for (const SteppedAccess& access : stepper.accesses()) {
    if (access.lanes == 0 || (access.space != Space::global && access.space != Space::shared)) continue;
    LoggedAccess one;
    one.position = position;
    one.line = stepper.table().instruction(entry.instruction).line;
    one.space = access.space;
    one.kind = access.kind;
    one.warp = entry.warp;
    one.lanes = access.lanes;
    one.bytes = access.bytes;
    one.address = access.address;
    one.values.resize(size_t{warp_lanes} * access.bytes);
    for (uint32_t rest = access.lanes; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(rest));
      const Result<Bytes> bytes = stepper.read(access.space, access.address[lane], access.bytes);
      if (!bytes) continue;
      std::memcpy(one.values.data() + size_t{lane} * access.bytes, bytes->data(), access.bytes);
      one.known |= 1u << lane;
    }
    all.push_back(std::move(one));
  }
  return all;
}

AccessLog log_accesses(BlockStepper& stepper, uint32_t warp, uint64_t from, uint64_t to, size_t most,
                       const std::stop_token& stop) {
  AccessLog log;
  log.warp = warp;
  to = std::min(to, stepper.recorded());
  const auto trace = stepper.trace();
  log.covered = from;
  // Only instructions of this warp that access memory matter; the others are skipped.
  for (uint64_t at = from; at < std::min<uint64_t>(to, trace.size()); ++at) {
    const TraceEntry& entry = trace[static_cast<size_t>(at)];
    if (at % 4096 == 0 && stop.stop_requested()) return log;
    if (entry.warp != warp || entry.bytes == 0) continue;
    stepper.jump(at + 1);
    log.covered = at + 1;
    for (LoggedAccess& access : accesses_here(stepper)) log.accesses.push_back(std::move(access));
    if (log.accesses.size() >= most) return log;
  }
  stepper.jump(to);
  log.covered = to;
  return log;
}

std::vector<NamedArray> named_arrays(const BlockStepper& stepper) {
  std::vector<NamedArray> arrays;
  for (const SharedArray& shared : stepper.shared_arrays())
    arrays.push_back({shared.name, Space::shared, shared.address, shared.bytes, element_of(shared),
                      shared.extents.size() > 1 ? shared.extents : std::vector<uint64_t>{}});
  const auto& buffers = stepper.request().buffers;
  for (const DeviceMemory& memory : stepper.device_memory()) {
    const bool buffer = memory.buffer >= 0 && static_cast<size_t>(memory.buffer) < buffers.size();
    arrays.push_back({memory.name,
                      Space::global,
                      memory.address,
                      memory.bytes,
                      buffer ? buffers[static_cast<size_t>(memory.buffer)].dtype : DType::u8,
                      {}});
  }
  return arrays;
}

const NamedArray* array_at(const std::vector<NamedArray>& arrays, Space space, uint64_t address) {
  const auto found =
      std::ranges::find_if(arrays, [&](const NamedArray& a) { return inside(a, space, address); });
  return found == arrays.end() ? nullptr : &*found;
}

std::string place_text(const std::vector<NamedArray>& arrays, Space space, uint64_t address, uint32_t bytes) {
  const NamedArray* array = array_at(arrays, space, address);
  if (array == nullptr) return fmt::format("{} memory 0x{:x}", to_string(space), address);
  const uint64_t size = bytes_of(array->element), element = (address - array->address) / size;
  const std::string name = array->name.empty() ? std::string("memory") : array->name;
  const uint64_t last = (address - array->address + std::max(1u, bytes) - 1) / size;
  if (last > element && array->extents.empty()) return fmt::format("{}[{}…{}]", name, element, last);
  return name + index_text(*array, element);
}

std::string element_text(DType type, const Bytes& bytes, uint64_t offset) {
  if (offset + bytes_of(type) > bytes.size()) return "?";
  LaneBits bits;
  std::memcpy(&bits.low, bytes.data() + offset, bytes_of(type));
  switch (type) {
    case DType::i8:
      return fmt::format("{}", static_cast<int8_t>(bits.low));
    case DType::i16:
      return text_of(ptx::Modifier::s16, bits);
    case DType::i32:
      return text_of(ptx::Modifier::s32, bits);
    case DType::i64:
      return fmt::format("{}", static_cast<int64_t>(bits.low));
    case DType::f16:
      return text_of(ptx::Modifier::f16, bits);
    case DType::f32:
      return text_of(ptx::Modifier::f32, bits);
    case DType::f64:
      return text_of(ptx::Modifier::f64, bits);
    default:
      return fmt::format("{}", bits.low);
  }
}

std::string value_text(const std::vector<NamedArray>& arrays, const LoggedAccess& access, uint32_t lane) {
  if ((access.known >> lane & 1) == 0 || access.bytes == 0) return "?";
  const NamedArray* array = array_at(arrays, access.space, access.address[lane]);
  const DType type = array != nullptr ? array->element : access.bytes == 4 ? DType::u32 : DType::u8;
  const uint64_t size = bytes_of(type), begin = uint64_t{lane} * access.bytes;
  if (size > access.bytes) return "?";
  std::string text;
  for (uint64_t at = 0; at + size <= access.bytes && at / size < 4; at += size)
    text += (text.empty() ? "" : ", ") + element_text(type, access.values, begin + at);
  return text;
}

}  // namespace warplens::stepping
