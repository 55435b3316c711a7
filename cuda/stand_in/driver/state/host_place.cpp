#include "cuda/stand_in/driver/state/host_place.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

namespace warplens::driver {

namespace {

std::atomic<bool> looking{false};
thread_local const recording::HostPlace* place_of_call = nullptr;
thread_local bool is_under_way = false;

struct Before {
  bool operator()(const recording::HostPlace& a, const recording::HostPlace& b) const {
    return std::tie(a.line, a.file, a.function) < std::tie(b.line, b.file, b.function);
  }
};

}  // namespace

const recording::HostPlace* kept(recording::HostPlace place) {
  static std::mutex& mutex = *new std::mutex;
  static auto& places = *new std::set<recording::HostPlace, Before>;
  if (place.line == 0) return nullptr;
  const std::scoped_lock lock(mutex);
  return &*places.insert(std::move(place)).first;
}

bool is_own_source(std::string_view file) {
  if (file.empty() || file.front() == '<') return false;
  static constexpr std::array others_begin = {std::string_view("/usr/include/"),
                                              std::string_view("/usr/lib")};
  static constexpr std::array others_hold = {
      // CUDA's headers, in a toolkit and in wheels, and what nvcc makes of a file
      std::string_view("/targets/x86_64-linux/include/"), std::string_view("/cuda/include/"),
      std::string_view("/cu12/include/"), std::string_view("/cu13/include/"),
      std::string_view("/cuda_runtime/include/"), std::string_view("/include/crt/"),
      std::string_view("/include/thrust/"), std::string_view("/include/cub/"),
      std::string_view("/include/cuda/"), std::string_view("/include/cccl/"),
      std::string_view("/cuda_runtime.h"), std::string_view("/cuda_runtime_api.h"),
      std::string_view("/clang-headers-"), std::string_view("/front/cuda12_names.h"),  // ours (assets)
      std::string_view(".cudafe1."), std::string_view("/tmpxft_"), std::string_view(".fatbin.c"),
      std::string_view("../sysdeps/"), std::string_view("../csu/"),
      // Python's own and its packages'
      std::string_view("/site-packages/"), std::string_view("/dist-packages/"),
      std::string_view("/lib/python")};
  return std::none_of(others_begin.begin(), others_begin.end(),
                      [&](std::string_view part) { return file.starts_with(part); }) &&
         std::none_of(others_hold.begin(), others_hold.end(),
                      [&](std::string_view part) { return file.find(part) != file.npos; });
}

void look_for_host_places() { looking.store(true); }

HostCall::HostCall() {
  if (!looking.load(std::memory_order_relaxed) || is_under_way) return;
  m_is_outer = is_under_way = true;
  place_of_call = is_python() ? python_place() : cpp_place();
}

HostCall::~HostCall() {
  if (!m_is_outer) return;
  is_under_way = false;
  place_of_call = nullptr;
}

bool in_host_call() { return is_under_way; }

AtPlace::AtPlace(const recording::HostPlace* place) : m_before(std::exchange(place_of_call, place)) {}
AtPlace::~AtPlace() { place_of_call = m_before; }

const recording::HostPlace* host_place() { return place_of_call; }

}  // namespace warplens::driver
