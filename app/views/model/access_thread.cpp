// The elements that a thread read and wrote, with their values if these are known.
#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <set>

#include "app/base/format.h"
#include "app/base/number_words.h"
#include "app/views/model/access_view.h"

namespace warplens {

namespace {

template <class T>
T read_as(const Bytes& bytes, uint64_t at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

double half_to_double(uint16_t bits) {
  const double sign = (bits & 0x8000) != 0 ? -1.0 : 1.0;
  const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
  if (exponent == 31) return mantissa != 0 ? std::nan("") : sign * HUGE_VAL;
  return exponent == 0 ? sign * std::ldexp(mantissa, -24) : sign * std::ldexp(mantissa + 1024, exponent - 25);
}

template <class Visitor>
auto visit_element(DType type, const Bytes& bytes, uint64_t at, Visitor visitor) {
  switch (type) {
    case DType::u8:
      return visitor(read_as<uint8_t>(bytes, at));
    case DType::i8:
      return visitor(read_as<int8_t>(bytes, at));
    case DType::u16:
      return visitor(read_as<uint16_t>(bytes, at));
    case DType::i16:
      return visitor(read_as<int16_t>(bytes, at));
    case DType::u32:
      return visitor(read_as<uint32_t>(bytes, at));
    case DType::i32:
      return visitor(read_as<int32_t>(bytes, at));
    case DType::u64:
      return visitor(read_as<uint64_t>(bytes, at));
    case DType::i64:
      return visitor(read_as<int64_t>(bytes, at));
    case DType::f16:
      return visitor(half_to_double(read_as<uint16_t>(bytes, at)));
    case DType::f32:
      return visitor(read_as<float>(bytes, at));
    case DType::f64:
      break;
  }
  return visitor(read_as<double>(bytes, at));
}

bool inside(const BufferSpec& spec, const Bytes& bytes, uint64_t element) {
  const uint64_t size = bytes_of(spec.dtype);
  return element < bytes.size() / size;
}

const OutputBuffer* output_of(const RunResult& result, int32_t buffer) {
  for (const OutputBuffer& output : result.outputs)
    if (static_cast<int64_t>(output.index) == buffer) return &output;
  return nullptr;
}

// The buffers that the block writes. The values that it loads from them are not recorded.
std::set<int32_t> written_buffers(const BlockFootprint& footprint) {
  std::set<int32_t> written;
  for (const WarpAccess& access : footprint.accesses)
    if (access.kind != AccessKind::load) written.insert(access.buffer);
  return written;
}

// The loaded value. It is known if nothing in the launch writes the buffer, since it is then the initial
// one.
std::optional<std::string> loaded_value(const LaunchRequest& request, const std::set<int32_t>& written,
                                        int32_t buffer, uint64_t element) {
  const BufferSpec& spec = request.buffers[static_cast<size_t>(buffer)];
  if (!spec.initial || spec.output || written.contains(buffer)) return std::nullopt;
  return value_text(spec, *spec.initial, element);
}

std::optional<std::string> stored_value(const RunResult& result, int32_t buffer, uint64_t element,
                                        uint64_t launch_thread) {
  const OutputBuffer* output = output_of(result, buffer);
  if (output == nullptr || !output->bytes || !output->writers) return std::nullopt;
  const std::vector<uint64_t>& writer = output->writers->writer;
  if (element >= writer.size() || writer[element] != launch_thread + 1) return std::nullopt;
  return value_text(result.request->buffers[static_cast<size_t>(buffer)], *output->bytes, element);
}

}  // namespace

std::optional<double> value_of(const BufferSpec& spec, const Bytes& bytes, uint64_t element) {
  if (!inside(spec, bytes, element)) return std::nullopt;
  return visit_element(spec.dtype, bytes, element * bytes_of(spec.dtype),
                       [](auto value) { return static_cast<double>(value); });
}

std::optional<std::string> value_text(const BufferSpec& spec, const Bytes& bytes, uint64_t element) {
  if (!inside(spec, bytes, element)) return std::nullopt;
  return visit_element(spec.dtype, bytes, element * bytes_of(spec.dtype), [](auto value) -> std::string {
    if constexpr (sizeof value == 1) {
      return fmt::format("{}", int{value});
    } else if constexpr (std::is_floating_point_v<decltype(value)>) {
      return number_words(double{value});
    } else {
      return fmt::format("{}", value);
    }
  });
}

std::vector<ThreadAccess> accesses_of_thread(const RunResult& result, const BlockFootprint& footprint,
                                             Dim3 thread, size_t limit) {
  std::vector<ThreadAccess> rows;
  if (!result.request) return rows;
  const LaunchRequest& request = *result.request;
  const uint64_t linear = linear_index(thread, result.shape.block);
  const uint64_t launch_thread =
      linear_index(footprint.block, result.shape.grid) * result.shape.block.count() + linear;
  const auto lane = static_cast<uint32_t>(linear % warp_lanes);
  const std::set<int32_t> written = written_buffers(footprint);
  for (size_t i = 0; i < footprint.accesses.size() && rows.size() < limit; ++i) {
    const WarpAccess& access = footprint.accesses[i];
    if (access.warp != linear / warp_lanes || (access.mask >> lane & 1) == 0 ||
        access.space == Space::parameter)
      continue;
    ThreadAccess row{i, access.kind, access.space, {}, {}, access.source_line, access.buffer, 0};
    if (access.buffer >= 0 && static_cast<size_t>(access.buffer) < request.buffers.size()) {
      const BufferSpec& spec = request.buffers[static_cast<size_t>(access.buffer)];
      row.element = access.offset[lane] / bytes_of(spec.dtype);
      row.place = fmt::format("{}[{}]", spec.name, row.element);
      row.value = access.kind == AccessKind::load
                      ? loaded_value(request, written, access.buffer, row.element)
                      : stored_value(result, access.buffer, row.element, launch_thread);
    } else if (access.space == Space::shared || access.space == Space::local) {
      row.place = fmt::format("{} memory, byte {}", access.space == Space::shared ? "shared" : "local",
                              with_separators(access.offset[lane]));
    } else {
      row.place = hex_text(access.offset[lane]);
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace warplens
