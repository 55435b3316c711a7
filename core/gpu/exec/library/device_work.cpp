#include "core/gpu/exec/state/device_work.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <utility>

#include "core/gpu/exec/state/memory.h"

namespace warplens::exec {

namespace {

struct ErrorText {
  DeviceError error{};
  std::string_view name, description;
};

// As cudaGetErrorName and cudaGetErrorString give them.
constexpr ErrorText error_texts[] = {
    {DeviceError::none, "cudaSuccess", "no error"},
    {DeviceError::invalid_value, "cudaErrorInvalidValue", "invalid argument"},
    {DeviceError::memory_allocation, "cudaErrorMemoryAllocation", "out of memory"},
    {DeviceError::invalid_configuration, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {DeviceError::invalid_memcpy_direction, "cudaErrorInvalidMemcpyDirection",
     "invalid copy direction for memcpy"},
    {DeviceError::launch_pending_count_exceeded, "cudaErrorLaunchPendingCountExceeded",
     "launch failed because launch would exceed maximum pending launch count"},
    {DeviceError::invalid_device_function, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {DeviceError::invalid_device, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {DeviceError::invalid_resource_handle, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {DeviceError::launch_out_of_resources, "cudaErrorLaunchOutOfResources",
     "too many resources requested for launch"},
    {DeviceError::not_supported, "cudaErrorNotSupported", "operation not supported"},
};

const ErrorText* text_of(DeviceError error) {
  const auto* at = std::ranges::find(error_texts, error, &ErrorText::error);
  return at == std::end(error_texts) ? nullptr : at;
}

}  // namespace

std::string_view name_of(DeviceError error) {
  const ErrorText* text = text_of(error);
  return text == nullptr ? "unrecognized error code" : text->name;
}

std::string_view description_of(DeviceError error) {
  const ErrorText* text = text_of(error);
  return text == nullptr ? "unrecognized error code" : text->description;
}

const DeviceWork* next_work(std::vector<WorkLevel>& levels, DeviceRuntime& runtime) {
  while (!levels.empty()) {
    WorkLevel& level = levels.back();
    const bool ended = level.next == level.works.size();
    // The one before has ended, with all that it launched.
    if (level.next > 0) --runtime.pending;
    runtime.depth = static_cast<uint32_t>(levels.size());
    if (!ended) return &level.works[level.next++];
    levels.pop_back();
  }
  runtime.depth = 0;
  return nullptr;
}

std::vector<DeviceWork> in_order(std::map<uint64_t, std::vector<DeviceWork>>&& by_block) {
  std::vector<DeviceWork> all;
  for (auto& [block, works] : by_block) std::ranges::move(works, std::back_inserter(all));
  std::stable_partition(all.begin(), all.end(), [](const DeviceWork& work) { return !work.tail; });
  return all;
}

std::optional<ChangedBytes> perform(const DeviceWork& work, const Memory& memory) {
  const Allocation* to = memory.find(work.to);
  const Allocation* from = work.kind == DeviceWork::Kind::copy ? memory.find(work.from) : to;
  if (to == nullptr || from == nullptr) return {};
  // Neither overflows: the call that gave the work has checked it.
  const auto extent = [&](uint64_t pitch, uint64_t slice) {
    return (work.depth - 1) * slice + (work.height - 1) * pitch + work.width;
  };
  const uint64_t changed = extent(work.to_pitch, work.to_slice);
  if (changed > to->end - work.to) return {};
  if (work.kind == DeviceWork::Kind::copy && extent(work.from_pitch, work.from_slice) > from->end - work.from)
    return {};
  for (uint64_t z = 0; z < work.depth; ++z) {
    for (uint64_t y = 0; y < work.height; ++y) {
      const uint64_t at = work.to + z * work.to_slice + y * work.to_pitch;
      if (work.kind == DeviceWork::Kind::fill) {
        std::memset(to->at(at), std::to_integer<int>(work.value), static_cast<size_t>(work.width));
      } else {
        const uint64_t source = work.from + z * work.from_slice + y * work.from_pitch;
        std::memmove(to->at(at), from->at(source), static_cast<size_t>(work.width));
        from->note<false>(source, work.width);
      }
      to->note<true>(at, work.width);
    }
  }
  return ChangedBytes{to, work.to - to->begin, changed};
}

}  // namespace warplens::exec
