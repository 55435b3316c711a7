#include "cuda/wire.h"

#include <array>
#include <cstring>
#include <type_traits>

namespace warplens::cuda {

namespace {

// One description of each type, `visit(archive, value)`, serves writing and reading.
class Writer {
 public:
  static constexpr bool reads = false;
  std::string bytes;

  template <class T>
  void plain(const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void raw(const void* data, size_t size) { bytes.append(static_cast<const char*>(data), size); }
};

class Reader {
 public:
  static constexpr bool reads = true;
  explicit Reader(std::string_view bytes) : m_rest(bytes) {}

  template <class T>
  void plain(T& value) {
    raw(&value, sizeof value);
  }
  void raw(void* data, size_t size) {
    if (size > m_rest.size()) {
      m_good = false;
      m_rest = {};
      return;
    }
    if (size != 0) std::memcpy(data, m_rest.data(), size);
    m_rest.remove_prefix(size);
  }
  // A number of elements that follow, of at least so many bytes each.
  size_t count(size_t least) {
    uint64_t number = 0;
    plain(number);
    if (number > m_rest.size() / least) m_good = false;
    return m_good ? static_cast<size_t>(number) : 0;
  }
  void spoil() { m_good = false; }
  bool good() const { return m_good; }
  bool done() const { return m_good && m_rest.empty(); }

 private:
  std::string_view m_rest;
  bool m_good = true;
};

template <class A, class T>
requires std::is_arithmetic_v<T> || std::is_enum_v<T>
void visit(A& a, T& value) {
  if constexpr (std::is_same_v<std::remove_const_t<T>, bool>) {
    uint8_t byte = value ? 1 : 0;
    a.plain(byte);
    if constexpr (A::reads) value = byte != 0;
  } else {
    a.plain(value);
  }
}

template <class A, class T>
requires std::is_same_v<std::remove_const_t<T>, std::string> || std::is_same_v<std::remove_const_t<T>, Bytes>
void visit(A& a, T& text) {
  if constexpr (A::reads) {
    text.resize(a.count(1));
    a.raw(text.data(), text.size());
  } else {
    const uint64_t size = text.size();
    a.plain(size);
    a.raw(text.data(), text.size());
  }
}

// Both const and not, so that one list of members serves both directions.
template <class A, class... Members>
void all(A& a, Members&... members) {
  (visit(a, members), ...);
}

template <class A, class T>
void list(A& a, T& values) {
  if constexpr (A::reads) {
    values.clear();
    const size_t count = a.count(1);
    for (size_t i = 0; i < count && a.good(); ++i) visit(a, values.emplace_back());
  } else {
    const uint64_t count = values.size();
    a.plain(count);
    for (auto& value : values) visit(a, value);
  }
}

template <class A, class T>
void maybe(A& a, T& optional) {
  bool there = static_cast<bool>(optional);
  visit(a, there);
  if (!there) return;
  if constexpr (A::reads) optional.emplace();
  visit(a, *optional);
}

template <class A, class T>
void shared_bytes(A& a, T& pointer) {
  bool there = pointer != nullptr;
  visit(a, there);
  if (!there) return;
  if constexpr (A::reads) {
    Bytes bytes;
    visit(a, bytes);
    pointer = std::make_shared<const Bytes>(std::move(bytes));
  } else {
    visit(a, *pointer);
  }
}

// Structures. T is the type or the const type.
template <class T, class Of>
concept Is = std::is_same_v<std::remove_const_t<T>, Of>;

template <class A, Is<Dim3> T>
void visit(A& a, T& d) {
  all(a, d.x, d.y, d.z);
}
template <class A, Is<BufferArgument> T>
void visit(A& a, T& b) {
  all(a, b.buffer, b.offset);
}
template <class A, Is<ScalarArgument> T>
void visit(A& a, T& s) {
  all(a, s.type, s.bits);
}
template <class A, Is<StructArgument::Pointer> T>
void visit(A& a, T& p) {
  all(a, p.at, p.to);
}
template <class A, Is<StructArgument> T>
void visit(A& a, T& s) {
  visit(a, s.bytes);
  list(a, s.pointers);
}
template <class A, Is<TextureSpec> T>
void visit(A& a, T& t) {
  all(a, t.shape, t.type, t.channels, t.width, t.height, t.depth, t.address[0], t.address[1], t.address[2],
      t.linear, t.normalized, t.normalized_read, t.surface, t.levels, t.pitch, t.linear_levels, t.level_bias,
      t.min_level, t.max_level);
}
template <class A, Is<TextureArgument> T>
void visit(A& a, T& t) {
  all(a, t.buffer, t.spec);
}

// A variant as its index and the alternative.
template <size_t I = 0, class T>
void emplace_alternative(T& variant, size_t index) {
  if constexpr (I < std::variant_size_v<T>) {
    if (index == I)
      variant.template emplace<I>();
    else
      emplace_alternative<I + 1>(variant, index);
  }
}
template <class A, class T>
void alternative(A& a, T& variant) {
  auto index = static_cast<uint8_t>(variant.index());
  a.plain(index);
  if constexpr (A::reads) {
    if (index >= std::variant_size_v<T>) {
      a.spoil();
      return;
    }
    emplace_alternative(variant, index);
  }
  std::visit([&](auto& chosen) { visit(a, chosen); }, variant);
}
template <class A, Is<Argument> T>
void visit(A& a, T& argument) {
  alternative(a, argument);
}

template <class A, class T>
requires Is<T, AllocateStep> || Is<T, CopyInStep> || Is<T, CopyOutStep> || Is<T, FreeStep>
void visit(A& a, T& step) { visit(a, step.buffer); }
template <class A, Is<LaunchStep> T>
void visit(A& a, T& l) {
  all(a, l.entry, l.grid, l.block, l.shared_dynamic_bytes, l.cooperative);
  list(a, l.arguments);
}
template <class A, Is<Step> T>
void visit(A& a, T& step) {
  alternative(a, step);
}
template <class A, Is<BufferSpec> T>
void visit(A& a, T& b) {
  all(a, b.name, b.bytes, b.dtype, b.output);
  shared_bytes(a, b.initial);
}
template <class A, Is<GlobalInit> T>
void visit(A& a, T& g) {
  all(a, g.symbol, g.bytes);
}
template <class A, Is<TextureBinding> T>
void visit(A& a, T& t) {
  all(a, t.symbol, t.texture);
}
template <class A, Is<Resources> T>
void visit(A& a, T& r) {
  all(a, r.registers_per_thread, r.shared_static_bytes, r.local_bytes, r.spill_store_bytes,
      r.spill_load_bytes, r.constant_bytes, r.origin);
}

template <class A, Is<LaunchRequest> T>
void visit(A& a, T& r) {
  visit(a, r.kernel);
  list(a, r.buffers);
  list(a, r.globals);
  list(a, r.textures);
  list(a, r.steps);
  all(a, r.device.id, r.device.compute_capability.major, r.device.compute_capability.minor);
  maybe(a, r.device.l2_bytes);
  all(a, r.resources, r.resources_known, r.max_registers, r.repeat, r.contract, r.time_limit_ms);
}

template <class A, Is<Spread> T>
void visit(A& a, T& s) {
  all(a, s.median, s.minimum, s.p10, s.p90);
  list(a, s.samples);
}
template <class A, Is<DeviceRun> T>
void visit(A& a, T& d) {
  for (auto* spread : {&d.copy_in_us, &d.kernel_us, &d.copy_out_us, &d.copy_in_pageable_us,
                       &d.copy_out_pageable_us, &d.launch_us})
    maybe(a, *spread);
  list(a, d.launches_us);
  maybe(a, d.max_active_blocks_per_sm);
  maybe(a, d.sm_clock_mhz);
  maybe(a, d.memory_clock_mhz);
  maybe(a, d.temperature_c);
  all(a, d.throttled, d.code, d.beside);
}
template <class A, Is<LaunchShape> T>
void visit(A& a, T& s) {
  all(a, s.grid, s.block, s.shared_dynamic_bytes, s.cooperative);
}
template <class A, Is<LaunchRecord> T>
void visit(A& a, T& l) {
  all(a, l.entry, l.shape);
  maybe(a, l.resources);
}
template <class A, Is<Incident> T>
void visit(A& a, T& i) {
  all(a, i.kind, i.message);
}
template <class A, Is<OutputBuffer> T>
void visit(A& a, T& o) {
  visit(a, o.index);
  shared_bytes(a, o.bytes);
}
template <class A, Is<TimesUs> T>
void visit(A& a, T& t) {
  for (auto* part : {&t.copy_in, &t.launch, &t.kernel, &t.copy_out, &t.low, &t.high}) maybe(a, *part);
  visit(a, t.source);
}
template <class A, Is<RunResult> T>
void visit(A& a, T& r) {
  visit(a, r.status);
  maybe(a, r.cuda_error);
  all(a, r.message, r.consequence, r.entry, r.shape);
  maybe(a, r.resources);
  list(a, r.launches);
  visit(a, r.time);
  list(a, r.faults);
  list(a, r.outputs);
  visit(a, r.console);
  maybe(a, r.measured);
}

template <class A, Is<LibraryWork> T>
void visit(A& a, T& w) {
  all(a, w.task, w.rows, w.columns, w.inner, w.points, w.seed);
  list(a, w.a);
  list(a, w.b);
  all(a, w.repeat, w.time_limit_ms);
}
template <class A, Is<LibraryTime> T>
void visit(A& a, T& t) {
  all(a, t.library, t.routine, t.missing);
  for (auto* part : {&t.time_us, &t.copy_in_us, &t.copy_out_us}) maybe(a, *part);
  list(a, t.result);
  visit(a, t.inside);
}
template <class A, Is<LibraryRun> T>
void visit(A& a, T& r) {
  list(a, r.routines);
}

Error garbled() { return failed("What came from the GPU's process cannot be read."); }

// What a backend answers: a value, or its error.
template <class T>
std::string encode_result(const Result<T>& result) {
  Writer writer;
  const bool good = result.ok();
  visit(writer, good);
  if (good)
    visit(writer, *result);
  else
    all(writer, result.error().kind, result.error().message);
  return std::move(writer.bytes);
}

template <class T>
Result<T> decode_as(std::string_view bytes) {
  Reader reader(bytes);
  bool good = false;
  visit(reader, good);
  if (good) {
    T value;
    visit(reader, value);
    if (!reader.done()) return garbled();
    return value;
  }
  Error error;
  all(reader, error.kind, error.message);
  if (!reader.done()) return garbled();
  return error;
}

}  // namespace

std::string encode(const LaunchRequest& request) {
  Writer writer;
  visit(writer, request);
  const ModuleText none;
  const ModuleText& module = request.module ? *request.module : none;
  all(writer, module.ptx, module.ptx_name);
  return std::move(writer.bytes);
}

Result<LaunchRequest> decode_request(std::string_view bytes) {
  Reader reader(bytes);
  LaunchRequest request;
  visit(reader, request);
  ModuleText module;
  all(reader, module.ptx, module.ptx_name);
  if (!reader.done()) return garbled();
  request.module = std::make_shared<const ModuleText>(std::move(module));
  request.device.is_virtual = false;
  return request;
}

std::string encode(const LibraryWork& work) {
  Writer writer;
  visit(writer, work);
  return std::move(writer.bytes);
}

Result<LibraryWork> decode_work(std::string_view bytes) {
  Reader reader(bytes);
  LibraryWork work;
  visit(reader, work);
  if (!reader.done()) return garbled();
  return work;
}

std::string encode(const Result<RunResult>& result) { return encode_result(result); }
Result<RunResult> decode_result(std::string_view bytes) { return decode_as<RunResult>(bytes); }

std::string encode(const Result<LibraryRun>& run) { return encode_result(run); }
Result<LibraryRun> decode_times(std::string_view bytes) { return decode_as<LibraryRun>(bytes); }

}  // namespace warplens::cuda
