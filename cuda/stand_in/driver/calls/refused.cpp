#include "cuda/stand_in/driver/calls/refused.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>

#include "cuda/stand_in/driver/calls/entry.h"
#include "cuda/stand_in/driver/state/host_place.h"

namespace warplens::driver {

namespace {

enum class Topic : uint8_t {
#define TOPIC(id, what, instead) id,
#include "cuda/stand_in/driver/topics.def"
#undef TOPIC
};

struct TopicText {
  const char *what, *instead;
};
constexpr TopicText topics[] = {
#define TOPIC(id, what, instead) {what, instead},
#include "cuda/stand_in/driver/topics.def"
#undef TOPIC
};

struct RefusedCall {
  const char* symbol;
  Topic topic;
};
constexpr RefusedCall refused[] = {
#define DRIVER_CALL(name, version, symbol)
#define DRIVER_OTHER_NAME(name, version, symbol, same)
#define DRIVER_REFUSED(name, version, symbol, topic) {#symbol, Topic::topic},
#include "cuda/stand_in/driver/api.def"
#undef DRIVER_CALL
#undef DRIVER_OTHER_NAME
#undef DRIVER_REFUSED
};

}  // namespace

namespace {

thread_local bool works_for_us = false;

}  // namespace

OwnLibrary::OwnLibrary() { works_for_us = true; }
OwnLibrary::~OwnLibrary() { works_for_us = false; }
bool own_library_calls() { return works_for_us; }

namespace {

// Compilers ask for the table too, and do without.
bool is_of_a_compiler(const void* code) {
  constexpr std::string_view compilers[] = {"libnvrtc", "libnvJitLink", "libnvvm"};
  Dl_info info{};
  if (dladdr(code, &info) == 0 || info.dli_fname == nullptr) return false;
  std::string_view file = info.dli_fname;
  file.remove_prefix(file.rfind('/') + 1);
  return std::any_of(std::begin(compilers), std::end(compilers),
                     [&](std::string_view name) { return file.starts_with(name); });
}

}  // namespace

void note_export_table(const void* caller) {
  if (works_for_us || is_of_a_compiler(caller)) return;
  Gpu* device = gpu();
  const std::string sentence =
      "NVIDIA's runtime library is linked into this program or a library of it, and works on NVIDIA's own "
      "driver only. If the program stops because of it: build it by warplens program -- make, or with nvcc "
      "-cudart "
      "shared; for Python use Numba, numba-cuda or PyCUDA, and build CuPy by warplens program -- pip install "
      "--no-binary cupy cupy. PyTorch and JAX need a GPU.";
  if (device == nullptr) return;
  const std::scoped_lock lock(device->mutex);
  device->journal.finding(
      {.kind = "runtime", .code = CUDA_ERROR_NOT_FOUND, .message = sentence, .kernel = {}, .file = {}});
}

}  // namespace warplens::driver

extern "C" int warplens_refuse(uint32_t row) {
  using namespace warplens::driver;
  Gpu* device = gpu();
  if (device == nullptr) return not_started();
  const std::scoped_lock lock(device->mutex);
  const RefusedCall& call = refused[row];
  const TopicText& topic = topics[static_cast<size_t>(call.topic)];
  device->journal.call(call.symbol);
  device->tell(
      "missing", CUDA_ERROR_NOT_SUPPORTED,
      fmt::format("{} is not provided: {} are not simulated. {}", call.symbol, topic.what, topic.instead));
  return CUDA_ERROR_NOT_SUPPORTED;
}

// For our runtime library (runtime/), which has sentences of its own: said once, and kept in the recording.
extern "C" void warplens_tell(const char* kind, int code, const char* sentence) {
  using namespace warplens::driver;
  Gpu* device = gpu();
  if (device == nullptr) return;
  const HostCall here;
  const std::scoped_lock lock(device->mutex);
  device->tell(kind, static_cast<CUresult>(code), sentence);
}

// A call of the runtime library failed. The first one counts until the program asks for it: what fails after
// it may follow from it.
extern "C" void warplens_failed(const char* call, const char* name) {
  using namespace warplens::driver;
  Gpu* device = gpu();
  if (device == nullptr) return;
  const HostCall here;
  const std::scoped_lock lock(device->mutex);
  if (!device->unread) device->unread = UnreadError{call, name, host_place()};
}

// The program asks for its last error, or what a code means.
extern "C" void warplens_asked() {
  using namespace warplens::driver;
  Gpu* device = gpu();
  if (device == nullptr) return;
  const std::scoped_lock lock(device->mutex);
  if (device->unread && device->unread->went_on) device->tell_unread();
  device->unread.reset();
}

// For callers that run a program in parts, as the pytest plug-in runs tests. They set the environment
// variables before this call.
extern "C" void warplens_begin_part(int failed) {
  using namespace warplens::driver;
  Gpu* device = gpu();
  if (device == nullptr) return;
  const std::scoped_lock lock(device->mutex);
  device->begin_part(failed != 0);
}
