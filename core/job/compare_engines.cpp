#include "core/job/compare_engines.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/half.h"
#include "core/job/preflight.h"

namespace warplens {

namespace {

uint64_t bits_at(const Bytes& bytes, uint64_t element, uint32_t size) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes.data() + element * size, size);
  return bits;
}

// The distance of two floats in representable numbers. For the same sign it is the difference of their bits.
uint64_t ulps_between(uint64_t a, uint64_t b, uint32_t bytes) {
  const uint64_t sign = uint64_t{1} << (8 * bytes - 1);
  const auto ordered = [&](uint64_t bits) {
    return (bits & sign) != 0 ? -static_cast<int64_t>(bits & ~sign) : static_cast<int64_t>(bits);
  };
  const int64_t x = ordered(a), y = ordered(b);
  return x > y ? static_cast<uint64_t>(x) - static_cast<uint64_t>(y)
               : static_cast<uint64_t>(y) - static_cast<uint64_t>(x);
}

bool is_nan(uint64_t bits, DType type) {
  switch (type) {
    case DType::f16:
      return (bits & 0x7fff) > 0x7c00;
    case DType::f32:
      return (bits & 0x7fffffff) > 0x7f800000;
    case DType::f64:
      return (bits & 0x7fffffffffffffff) > 0x7ff0000000000000;
    default:
      return false;
  }
}

// Pictures and matrices have a position besides the index.
std::string place_in(const BufferSpec& buffer, uint64_t element) {
  if (buffer.height <= 1 || buffer.width == 0 || buffer.channels == 0) return "";
  const uint64_t cell = element / buffer.channels;
  std::string text = fmt::format(" (column {}, row {}", cell % buffer.width, cell / buffer.width);
  if (buffer.channels > 1) text += fmt::format(", channel {}", element % buffer.channels);
  return text + ")";
}

void name_writer(const WriterMap* writers, uint64_t element, Comparison& comparison) {
  if (writers == nullptr || element >= writers->writer.size() || writers->writer[element] == 0) return;
  const uint64_t threads = writers->block.count();
  const auto split = [](uint64_t linear, Dim3 extent) {
    const uint64_t x = std::max(extent.x, 1u), y = std::max(extent.y, 1u);
    return Dim3{static_cast<uint32_t>(linear % x), static_cast<uint32_t>(linear / x % y),
                static_cast<uint32_t>(linear / x / y)};
  };
  if (threads == 0) return;
  const uint64_t linear = writers->writer[element] - 1;
  comparison.block = split(linear / threads, writers->grid);
  comparison.thread = split(linear % threads, writers->block);
}

std::string value_text(uint64_t bits, DType type, const Bytes& bytes, uint64_t element) {
  const auto as = [&]<class T>(T value) {
    std::memcpy(&value, bytes.data() + element * sizeof(T), sizeof(T));
    return value;
  };
  switch (type) {
    case DType::f16:
      return fmt::format("{} (0x{:04x})", float_of_f16(static_cast<uint16_t>(bits)), bits);
    case DType::f32:
      return fmt::format("{} (0x{:08x})", as(float{}), bits);
    case DType::f64:
      return fmt::format("{} (0x{:016x})", as(double{}), bits);
    case DType::i8:
      return fmt::format("{}", int{as(int8_t{})});
    case DType::i16:
      return fmt::format("{}", as(int16_t{}));
    case DType::i32:
      return fmt::format("{}", as(int32_t{}));
    case DType::i64:
      return fmt::format("{}", as(int64_t{}));
    default:
      return fmt::format("{}", bits);
  }
}

std::string words_of(const Comparison& c, const BufferSpec& buffer, const Bytes& got, const Bytes& want) {
  const uint32_t size = bytes_of(buffer.dtype);
  std::string text = fmt::format("{}[{}]{} is {} on the real GPU and {} on the virtual one", buffer.name,
                                 *c.first, place_in(buffer, *c.first),
                                 value_text(bits_at(got, *c.first, size), buffer.dtype, got, *c.first),
                                 value_text(bits_at(want, *c.first, size), buffer.dtype, want, *c.first));
  if (c.block && c.thread)
    text += fmt::format("; thread ({}, {}, {}) of block ({}, {}, {}) wrote it", c.thread->x, c.thread->y,
                        c.thread->z, c.block->x, c.block->y, c.block->z);
  text += fmt::format(". {} of {} elements have other bits", c.different, c.elements);
  if (c.max_ulps) text += fmt::format(", at most {} representable numbers apart", *c.max_ulps);
  return text + (c.equal ? fmt::format("; all are within the tolerance, {}.", c.tolerance) : ".");
}

const OutputBuffer* find_output(const RunResult& result, uint32_t index) {
  const auto found = std::ranges::find(result.outputs, index, &OutputBuffer::index);
  return found == result.outputs.end() || !found->bytes ? nullptr : &*found;
}

double tolerance_of(const Job& job, const BufferSpec& buffer) {
  double rtol = order_tolerance(job.request->module->ptx, buffer.dtype);
  if (!job.kernel) return rtol;
  for (const KernelCheck& check : job.kernel->checks)
    if (check.buffer == buffer.name) rtol = std::max(rtol, check.rtol);
  return rtol;
}

void compare(const Job& job, const RunResult& want, RunResult& got) {
  for (const OutputBuffer& output : got.outputs) {
    const OutputBuffer* other = find_output(want, output.index);
    if (other == nullptr || !output.bytes) continue;
    const BufferSpec& buffer = job.request->buffers[output.index];
    got.comparisons.push_back(compare_outputs(buffer, *output.bytes, *other->bytes, tolerance_of(job, buffer),
                                              other->writers.get()));
  }
  const auto wrong = std::ranges::find(got.comparisons, false, &Comparison::equal);
  if (wrong == got.comparisons.end()) return;
  got.status = RunStatus::check_failed;
  got.message = "The two engines differ: " + wrong->message;
}

Job with_request(const Job& job, const std::function<void(LaunchRequest&)>& change) {
  auto request = std::make_shared<LaunchRequest>(*job.request);
  change(*request);
  Job changed = job;
  changed.request = std::move(request);
  return changed;
}

bool ended(const RunResult& result) {
  return result.status == RunStatus::ok || result.status == RunStatus::check_failed;
}

}  // namespace

double order_tolerance(std::string_view ptx, DType type) {
  if (!is_float(type)) return 0;
  bool adds = false;
  for (const std::string_view name : {"atom.", "red."}) {
    for (size_t at = ptx.find(name); at != std::string_view::npos && !adds; at = ptx.find(name, at + 1)) {
      const std::string_view word = ptx.substr(at, ptx.find_first_of(" \t;\n", at) - at);
      adds = word.find(".add") != std::string_view::npos &&
             (word.find(".f32") != std::string_view::npos || word.find(".f64") != std::string_view::npos ||
              word.find("f16") != std::string_view::npos);
    }
  }
  if (!adds) return 0;
  return type == DType::f64 ? 1e-12 : type == DType::f32 ? 1e-5 : 1e-2;
}

Comparison compare_outputs(const BufferSpec& buffer, const Bytes& got, const Bytes& want, double rtol,
                           const WriterMap* writers) {
  Comparison c;
  c.buffer = buffer.name;
  c.tolerance = rtol == 0 ? "bit for bit"
                          : fmt::format(
                                "{:g} of the value or of the array's root mean square, because sums "
                                "in another order round differently",
                                rtol);
  const uint32_t size = bytes_of(buffer.dtype);
  c.elements = want.size() / size;
  if (got.size() != want.size()) {
    c.different = c.beyond = c.elements;
    c.message = fmt::format("{} has {} bytes on the real GPU and {} on the virtual one.", buffer.name,
                            got.size(), want.size());
    return c;
  }
  c.equal = true;
  if (got == want) return c;
  const Check within = compare_buffers(buffer.name, buffer.dtype, got, want, rtol);
  for (uint64_t e = 0; e < c.elements; ++e) {
    const uint64_t g = bits_at(got, e, size), w = bits_at(want, e, size);
    if (g == w) continue;
    if (c.different++ == 0) c.first = e;
    if (is_float(buffer.dtype) && !is_nan(g, buffer.dtype) && !is_nan(w, buffer.dtype))
      c.max_ulps = std::max(c.max_ulps.value_or(0), ulps_between(g, w, size));
  }
  c.max_abs = within.max_abs;
  c.beyond = rtol > 0 ? within.mismatches : c.different;
  c.equal = c.beyond == 0;
  if (!c.equal && rtol > 0) c.first = within.first_mismatch;
  if (!c.first) return c;  // only bytes after the last whole element differ
  name_writer(writers, *c.first, c);
  c.message = words_of(c, buffer, got, want);
  return c;
}

Result<RunResult> run_on_both(const Job& job, Backend& backend, std::stop_token stop, Progress* progress) {
  if (job.request->device.is_virtual)
    return bad_input(
        fmt::format("--compare holds a real GPU against the virtual one, and {} is virtual: choose "
                    "--device cuda:0.",
                    job.request->device.name));
  const Job counted = with_request(job, [](LaunchRequest& request) {
    request.device.is_virtual = true;
    request.record_writers = true;
    request.repeat = 1;
  });
  Result<RunResult> want = run_job(counted, backend, stop, progress);
  if (!want || !ended(*want)) return want;
  const Job unfused = with_request(job, [](LaunchRequest& request) {
    request.contract = false;
    request.preflight = false;
  });
  Result<RunResult> got = run_job(unfused, backend, std::move(stop), progress);
  if (!got || !ended(*got)) return got;
  add_counts(*want, *got);
  if (got->measured) got->measured->beside.clear();
  compare(job, *want, *got);
  return got;
}

}  // namespace warplens
