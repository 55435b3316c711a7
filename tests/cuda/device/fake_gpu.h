// A fake driver for tests: device memory is the host's, work on streams waits until it is released, and all
// objects are counted.
#pragma once

#include <atomic>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/launch/launch_request.h"
#include "cuda/device/driver/driver.h"

namespace warplens::cuda {

struct FakeGpu {
  FakeGpu();
  ~FakeGpu();
  FakeGpu(const FakeGpu&) = delete;
  FakeGpu& operator=(const FakeGpu&) = delete;

  // Has every function that live frames use; the others are null.
  Driver driver() const;
  // Runs the work that waits on streams.
  void finish();

  struct Event {
    bool recorded = false;
  };
  struct Resource {
    unsigned name = 0;
    bool mapped = false;
  };

  // Objects that are in use.
  std::map<uint64_t, std::vector<std::byte>> memory;  // by address
  std::map<void*, std::vector<std::byte>> pinned;
  std::map<void*, std::unique_ptr<Event>> events;
  std::map<void*, std::unique_ptr<Resource>> resources;
  int contexts = 0, modules = 0, streams = 0;
  size_t handed_out() const {
    return memory.size() + pinned.size() + events.size() + resources.size() +
           static_cast<size_t>(contexts + modules + streams);
  }

  // The state of OpenGL.
  std::map<unsigned, std::vector<std::byte>> gl_buffers;  // by name
  int registered = 0, maps = 0;                           // total numbers
  int wrong_maps = 0;                                     // mapped twice, or unmapped without a map

  // Results of its calls.
  CUresult get_devices = CUDA_SUCCESS, map = CUDA_SUCCESS, query = CUDA_SUCCESS, launch = CUDA_SUCCESS;
  std::vector<int> gl_devices = {0};
  int registers = 1000;  // this many calls succeed
  bool without_gl = false;
  bool endless = false;             // work on streams never ends
  std::atomic<bool> stuck = false;  // while true, creating a context blocks

  int host_to_device = 0, device_to_host = 0;  // copies
  std::deque<std::function<void()>> pending;
  std::recursive_mutex mutex;
};

// out[i] = in[i] + value, for `width` × `height` × `channels` bytes: the kernel of the fake driver.
LaunchRequest fake_request(uint32_t width, uint32_t height, uint32_t value, std::byte first = std::byte{10});

}  // namespace warplens::cuda
