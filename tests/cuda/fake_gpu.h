// A driver of the tests' own: device memory is the host's, work on streams waits until it is let through, and
// what is handed out is counted.
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
#include "cuda/driver/driver.h"

namespace warplens::cuda {

struct FakeGpu {
  FakeGpu();
  ~FakeGpu();
  FakeGpu(const FakeGpu&) = delete;
  FakeGpu& operator=(const FakeGpu&) = delete;

  // Every entry that live frames use; the others are null.
  Driver driver() const;
  // Lets the work through that waits on streams.
  void finish();

  struct Event {
    bool recorded = false;
  };
  struct Resource {
    unsigned name = 0;
    bool mapped = false;
  };

  // What is handed out and not given back.
  std::map<uint64_t, std::vector<std::byte>> memory;  // by address
  std::map<void*, std::vector<std::byte>> pinned;
  std::map<void*, std::unique_ptr<Event>> events;
  std::map<void*, std::unique_ptr<Resource>> resources;
  int contexts = 0, modules = 0, streams = 0;
  size_t handed_out() const {
    return memory.size() + pinned.size() + events.size() + resources.size() +
           static_cast<size_t>(contexts + modules + streams);
  }

  // OpenGL's side.
  std::map<unsigned, std::vector<std::byte>> gl_buffers;  // by name
  int registered = 0, maps = 0;                           // ever
  int wrong_maps = 0;                                     // twice, or not at all

  // How it answers.
  CUresult get_devices = CUDA_SUCCESS, map = CUDA_SUCCESS, query = CUDA_SUCCESS, launch = CUDA_SUCCESS;
  std::vector<int> gl_devices = {0};
  int registers = 1000;  // so many succeed
  bool without_gl = false;
  bool endless = false;             // what is on streams never ends
  std::atomic<bool> stuck = false;  // no context is made until it is not any more

  int host_to_device = 0, device_to_host = 0;  // copies
  std::deque<std::function<void()>> pending;
  std::recursive_mutex mutex;
};

// out[i] = in[i] + value, for `width` × `height` × `channels` bytes: what the fake driver's kernel does.
LaunchRequest fake_request(uint32_t width, uint32_t height, uint32_t value, std::byte first = std::byte{10});

}  // namespace warplens::cuda
