#include "core/job/files/recorded_job.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "core/job/files/array_names.h"

namespace warplens {

namespace {

using recording::Event;
using recording::RecordedLaunch;
using recording::RecordedPiece;
using recording::Recording;

uint64_t little_endian(const std::vector<std::byte>& bytes) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), std::min<size_t>(bytes.size(), 8));
  return value;
}

Argument argument_of(const recording::RecordedParameter& parameter, const LaunchRequest& request) {
  const uint64_t bits = little_endian(parameter.bytes);
  if (parameter.bytes.size() == 8 && !parameter.floating) {
    for (uint32_t b = 0; b < request.buffers.size(); ++b) {
      const BufferSpec& buffer = request.buffers[b];
      if (bits >= buffer.address && bits - buffer.address < buffer.bytes)
        return BufferArgument{b, bits - buffer.address};
    }
  }
  switch (parameter.bytes.size()) {
    case 1:
      return ScalarArgument{DType::u8, bits};
    case 2:
      return ScalarArgument{parameter.floating ? DType::f16 : DType::u16, bits};
    case 4:
      return ScalarArgument{parameter.floating ? DType::f32 : DType::u32, bits};
    case 8:
      return ScalarArgument{parameter.floating ? DType::f64 : DType::u64, bits};
    default:
      return StructArgument{parameter.bytes, {}};
  }
}

std::optional<Bytes> bytes_of(const Recording& recording, const RecordedPiece& piece) {
  if (piece.before.empty()) return Bytes{};
  const auto at = recording.data.find(piece.before);
  if (at == recording.data.end() || at->second.size() > piece.bytes) return std::nullopt;
  return Bytes(at->second.begin(), at->second.end());
}

Error not_whole(const std::string& name, const Event& launch) {
  return bad_input(fmt::format(
      "{}: launch {} cannot be run again: parts of it are missing from the file. Record the program again.",
      name, launch.number));
}

// The memory of the launch: variables of its own module by name, everything else at its address.
Result<void> add_memory(const Recording& recording, const Event& launch, const std::string& name,
                        LaunchRequest& request) {
  uint64_t all = 0;
  for (const RecordedPiece& piece : launch.launch->memory) {
    if (piece.bytes > max_recorded_memory_bytes - all)
      return bad_input(fmt::format("{}: launch {} needs more than {} GiB of memory.", name, launch.number,
                                   max_recorded_memory_bytes >> 30));
    all += piece.bytes;
    std::optional<Bytes> bytes = bytes_of(recording, piece);
    if (!bytes) return not_whole(name, launch);
    if (!piece.symbol.empty()) {
      bytes->resize(static_cast<size_t>(piece.bytes));
      request.globals.push_back({piece.symbol, std::move(*bytes)});
      continue;
    }
    if (piece.address == 0) return not_whole(name, launch);
    BufferSpec buffer;
    buffer.name = piece.name;
    buffer.bytes = piece.bytes;
    buffer.width = static_cast<uint32_t>(std::min<uint64_t>(piece.bytes, UINT32_MAX));
    buffer.address = piece.address;
    buffer.output = piece.after && *piece.after != piece.before;
    if (!bytes->empty()) {
      // All of it counts as written, since the writers are not known.
      bytes->resize(static_cast<size_t>(piece.bytes));
      buffer.initial = std::make_shared<const Bytes>(std::move(*bytes));
    }
    request.buffers.push_back(std::move(buffer));
  }
  return {};
}

}  // namespace

Result<const Event*> find_launch(const Recording& recording, uint64_t number, const std::string& name) {
  if (number >= 1 && number <= recording.launches.size())
    return recording.launches[static_cast<size_t>(number - 1)];
  if (recording.launches.empty()) return bad_input(fmt::format("{}: the program launched no kernel.", name));
  return bad_input(fmt::format("{}: there is no launch {}; it has 1 to {}: warplens recording {} lists them.",
                               name, number, recording.launches.size(), name));
}

Result<LaunchRequest> recorded_request(const Recording& recording, const Event& launch,
                                       const std::string& name) {
  if (launch.launch == nullptr)
    return bad_input(fmt::format(
        "{}: launch {} of {} was not recorded so that it can be run again. The first three of each "
        "kernel are, or those of warplens program --launches {}.",
        name, launch.number, launch.name, launch.number));
  const RecordedLaunch& recorded = *launch.launch;
  if (!recorded.lacking.empty())
    return bad_input(
        fmt::format("{}: launch {} cannot be run again: {}.", name, launch.number, recorded.lacking));
  const auto module = recording.modules.find(recorded.module);
  if (module == recording.modules.end()) return not_whole(name, launch);
  LaunchRequest request;
  request.kernel = launch.name;
  auto text = std::make_shared<ModuleText>();
  text->ptx.assign(reinterpret_cast<const char*>(module->second.data()), module->second.size());
  text->ptx_name = launch.name + ".ptx";
  request.module = std::move(text);
  request.place = {recorded.place_global, recorded.place_constant};
  if (const auto added = add_memory(recording, launch, name, request); !added) return added.error();
  LaunchStep step;
  step.entry = recorded.entry;
  step.grid = recorded.grid;
  step.block = recorded.block;
  step.shared_dynamic_bytes = recorded.shared_bytes;
  step.cooperative = recorded.cooperative;
  for (const recording::RecordedParameter& parameter : recorded.parameters)
    step.arguments.push_back(argument_of(parameter, request));
  name_numba_arrays(step, request.buffers);
  name_source_arrays(step, {"", request.module->ptx}, request.buffers);
  request.steps.emplace_back(std::move(step));
  return request;
}

Result<Job> recorded_job(const Recording& recording, const Event& launch, const std::string& name,
                         const Device& device, const RunOptions& options) {
  if (!device.is_virtual)
    return bad_input(fmt::format(
        "{}: a recorded launch runs on a virtual device, whose memory can lie at the program's addresses.",
        name));
  Result<LaunchRequest> request = recorded_request(recording, launch, name);
  if (!request) return request.error();
  Job job;
  request->max_registers = launch.launch->max_registers;
  const uint32_t max_registers = request->max_registers;
  LaunchRequest complete = with_options(std::move(*request), device, options);
  complete.max_registers = max_registers;
  job.request = std::make_shared<const LaunchRequest>(std::move(complete));
  static_cast<Passes&>(job) = options;
  return job;
}

void check_against_recording(const RecordedLaunch& launch, RunResult& result) {
  if (result.status != RunStatus::ok) return;
  for (const OutputBuffer& output : result.outputs) {
    const BufferSpec& buffer = result.request->buffers[output.index];
    const auto piece = std::find_if(launch.memory.begin(), launch.memory.end(),
                                    [&](const RecordedPiece& p) { return p.address == buffer.address; });
    if (piece == launch.memory.end() || !piece->after || output.bytes == nullptr) continue;
    const recording::Content content = recording::content_of(*output.bytes);
    const std::string now = content.bytes.empty() ? std::string() : to_text(content.name);
    if (now == *piece->after) {
      Check check;
      check.buffer = buffer.name;
      check.equal = true;
      check.elements = buffer.bytes / bytes_of(buffer.dtype);
      result.checks.push_back(std::move(check));
      continue;
    }
    result.status = RunStatus::check_failed;
    result.message = fmt::format("{} holds other bytes than after the program's own launch", buffer.name);
  }
}

}  // namespace warplens
