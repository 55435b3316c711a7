#include "cuda/stand_in/driver/state/deferred.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "cuda/stand_in/driver/state/gpu.h"
#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/driver/state/order.h"

namespace warplens::driver {

namespace {

thread_local bool performs = false;

// Whether all that is ordered before it has been done.
bool is_ready(const DeferredWork& work, const DeferredWork::Item& item) {
  return std::ranges::all_of(work.waiting, [&](const auto& row) {
    const streams::Stamp first = row.second.front().stamp;
    return row.first == item.stamp.line || !item.before.holds(first);
  });
}

// The next of what the host has waited for. Something is ready as long as anything is left, since an order
// has no circles.
std::optional<DeferredWork::Item> take_next(Gpu& device) {
  DeferredWork& work = device.deferred;
  std::vector<streams::Line> ready;
  for (const auto& [line, items] : work.waiting)
    if (device.waits.order.is_before(items.front().stamp, streams::host_line) &&
        is_ready(work, items.front()))
      ready.push_back(line);
  if (ready.empty()) return std::nullopt;
  const streams::Line chosen = work.random ? ready[(*work.random)() % ready.size()]
                                           : *std::ranges::max_element(ready, {}, [&](streams::Line line) {
                                               return work.waiting.at(line).front().number;
                                             });
  const auto row = work.waiting.find(chosen);
  DeferredWork::Item taken = std::move(row->second.front());
  row->second.pop_front();
  if (row->second.empty()) work.waiting.erase(row);
  return taken;
}

}  // namespace

void choose_order(Gpu& device, std::string_view order) {
  if (order.empty()) return;
  device.deferred.on = true;
  uint64_t seed = 0;
  if (std::from_chars(order.data(), order.data() + order.size(), seed).ec == std::errc())
    device.deferred.random.emplace(seed);
}

void defer(Gpu& device, Context& context, const Stream* stream, std::function<CUresult()> perform) {
  const streams::Line line = stream == nullptr ? streams::default_line : stream->line;
  streams::Order& order = device.waits.order;
  const streams::Stamp stamp = order.begin(line);
  device.deferred.waiting[line].push_back({.context = &context,
                                           .number = ++device.deferred.numbers,
                                           .stamp = stamp,
                                           .before = order.record(line),
                                           .place = host_place(),
                                           .perform = std::move(perform)});
}

std::shared_ptr<const std::vector<std::byte>> staged(Gpu& device, const std::byte* from, uint64_t bytes) {
  if (!device.deferred.on || performs || device.block_of(reinterpret_cast<uintptr_t>(from)) != nullptr)
    return nullptr;
  return std::make_shared<const std::vector<std::byte>>(from, from + bytes);
}

void perform_deferred(Gpu& device) {
  if (performs) return;
  // What another thread does at the moment may be what this one waits for.
  static auto* one_at_a_time = new std::mutex;
  const std::scoped_lock one(*one_at_a_time);
  while (true) {
    std::optional<DeferredWork::Item> next;
    {
      const std::scoped_lock lock(device.mutex);
      next = take_next(device);
      if (!next) return;
      if (next->context->pending != CUDA_SUCCESS || !next->context->alive.load()) continue;
    }
    const AtPlace here(next->place);
    performs = true;
    const CUresult end = next->perform();
    performs = false;
    if (end == CUDA_SUCCESS) continue;
    const std::scoped_lock lock(device.mutex);
    if (next->context->pending == CUDA_SUCCESS) next->context->pending = end;
  }
}

void perform_all_deferred() {
  Gpu* device = gpu();
  if (device == nullptr || !device->deferred.on || performs) return;
  {
    const std::scoped_lock lock(device->mutex);
    wait_for_all(*device);
  }
  perform_deferred(*device);
}

bool performs_deferred() { return performs; }

}  // namespace warplens::driver
