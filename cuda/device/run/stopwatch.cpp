#include "cuda/device/run/stopwatch.h"

#include <algorithm>
#include <chrono>

#include "cuda/device/driver/error.h"
#include "cuda/device/run/measuring.h"

namespace warplens::cuda {

namespace {

enum Event : size_t { begin, copied_in, flushed, called, copied_out, events };

}  // namespace

Result<Stopwatch> Stopwatch::make(const Context& context, uint64_t flush_bytes) {
  Stopwatch watch(context);
  Result<Owned<CUstream>> stream = context.make_stream();
  if (!stream) return stream.error();
  watch.m_stream = std::move(*stream);
  for (size_t i = 0; i < events; ++i) {
    Result<Owned<CUevent>> event = context.make_event();
    if (!event) return event.error();
    watch.m_events.push_back(std::move(*event));
  }
  Result<Owned<CUdeviceptr>> flush = context.allocate(flush_bytes, "an array to clear the cache with");
  if (flush) {  // a full device measures with a warm cache
    watch.m_flush = std::move(*flush);
    watch.m_flush_bytes = flush_bytes;
  }
  return watch;
}

Result<void> Stopwatch::record(size_t event) {
  const Driver& driver = m_context->driver();
  const CUresult r = driver.cuEventRecord(m_events[event].get(), m_stream.get());
  if (r != CUDA_SUCCESS) return error_of(driver, r, "Recording an event");
  return {};
}

Result<double> Stopwatch::between(size_t from, size_t to) const {
  const Driver& driver = m_context->driver();
  float ms = 0;
  const CUresult r = driver.cuEventElapsedTime(&ms, m_events[from].get(), m_events[to].get());
  if (r != CUDA_SUCCESS) return error_of(driver, r, "Reading the times");
  return double(ms) * 1e3;
}

Result<void> Stopwatch::copy(const std::vector<HostCopy>& copies, bool in) {
  const Driver& driver = m_context->driver();
  for (const HostCopy& c : copies) {
    const CUresult r = in ? driver.cuMemcpyHtoDAsync(c.device, c.host, c.bytes, m_stream.get())
                          : driver.cuMemcpyDtoHAsync(c.host, c.device, c.bytes, m_stream.get());
    if (r != CUDA_SUCCESS) return error_of(driver, r, in ? "Copying to the device" : "Copying to the host");
  }
  return {};
}

Result<Stopwatch::DevicePass> Stopwatch::pass(const std::vector<HostCopy>& in,
                                              const std::function<Result<void>()>& call,
                                              const std::vector<HostCopy>& out) {
  const Driver& driver = m_context->driver();
  const auto flush = [&]() -> Result<void> {
    if (m_flush_bytes == 0) return {};
    const CUresult r = driver.cuMemsetD8Async(m_flush.get(), 0, m_flush_bytes, m_stream.get());
    if (r != CUDA_SUCCESS) return error_of(driver, r, "Clearing the L2 cache");
    return {};
  };
  const std::function<Result<void>()> steps[] = {
      [&] { return record(begin); },     [&] { return copy(in, true); },
      [&] { return record(copied_in); }, flush,
      [&] { return record(flushed); },   call,
      [&] { return record(called); },    [&] { return copy(out, false); },
      [&] { return record(copied_out); }};
  Result<void> done;
  for (const auto& step : steps)
    if (done) done = step();
  // Waits even after a refusal, since earlier work on the stream uses the caller's memory.
  const CUresult r = driver.cuStreamSynchronize(m_stream.get());
  if (!done) return done.error();
  if (r != CUDA_SUCCESS) return error_of(driver, r, "Waiting for the GPU");
  const Result<double> copy_in = between(begin, copied_in), time = between(flushed, called),
                       copy_out = between(called, copied_out);
  for (const Result<double>* part : {&copy_in, &time, &copy_out})
    if (!*part) return part->error();
  return DevicePass{*copy_in, *time, *copy_out};
}

Result<void> Stopwatch::measure(const std::vector<HostCopy>& in, const std::function<Result<void>()>& call,
                                const std::vector<HostCopy>& out, uint32_t repeat,
                                const std::stop_token& stop, const std::function<void()>& passed,
                                LibraryTime& time) {
  const auto start = std::chrono::steady_clock::now();
  const Result<DevicePass> first = pass(in, call, out);
  if (!first) return first.error();
  const auto took = std::chrono::steady_clock::now() - start;
  if (passed) passed();
  const uint32_t wanted = repeat > 1 ? repeat : samples_within_patience(took);
  std::vector<DevicePass> passes;
  for (uint32_t i = 0; i < wanted && !stop.stop_requested(); ++i) {
    const Result<DevicePass> next = pass(in, call, out);
    if (!next) return next.error();
    passes.push_back(*next);
    if (passed) passed();
  }
  if (passes.empty()) passes.push_back(*first);  // one that takes seconds is its own sample
  const auto spread = [&](double DevicePass::*part) {
    std::vector<double> samples;
    samples.reserve(passes.size());
    for (const DevicePass& p : passes) samples.push_back(p.*part);
    return spread_of(std::move(samples));
  };
  time.time_us = spread(&DevicePass::call);
  if (!in.empty()) time.copy_in_us = spread(&DevicePass::copy_in);
  if (!out.empty()) time.copy_out_us = spread(&DevicePass::copy_out);
  return {};
}

}  // namespace warplens::cuda
