// Lines of C++, by libbacktrace of GCC: it reads the debug information of what is loaded, inlined calls too.
#include <cxxabi.h>
#include <dlfcn.h>
#include <link.h>
#include <unwind.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include "cuda/stand_in/driver/state/host_place.h"

// GCC's own folder of headers has it, which other compilers look into only where CMake says so.
#if defined(WARPLENS_HAS_BACKTRACE) && __has_include(<backtrace.h>)
#define WARPLENS_READS_LINES
#include <backtrace.h>
#endif

namespace warplens::driver {

#ifdef WARPLENS_READS_LINES

namespace {

// libbacktrace reads all that is loaded, and of the system's libraries the debug packages too, which takes a
// tenth of a second. It asks dl_iterate_phdr, which the linker leads here (--wrap,
// cuda/stand_in/driver/CMakeLists.txt).
thread_local bool reads_debug_information = false;

// Whether what is loaded may have lines of the program: not the runtime library on top of this one, and not
// the system's.
bool may_have_lines(std::string_view object) {
  return !object.starts_with("/usr/lib") && !object.starts_with("/lib") &&
         object.find("libcudart.so") == object.npos;
}

struct Listener {
  int (*take)(dl_phdr_info*, size_t, void*);
  void* data;
};

int take_if_own(dl_phdr_info* info, size_t size, void* listener) {
  const Listener& to = *static_cast<const Listener*>(listener);
  const std::string_view object = info->dlpi_name == nullptr ? "" : info->dlpi_name;
  return may_have_lines(object) ? to.take(info, size, to.data) : 0;
}

// The number of frames from the call on that are searched: Thrust and CUB have many.
constexpr int most_frames = 64;

void no_error(void*, const char*, int) {}

backtrace_state* debug_information() {
  static backtrace_state* state = backtrace_create_state(nullptr, 1, no_error, nullptr);
  return state;
}

// Nor this library's own.
bool is_of_program(uintptr_t instruction) {
  static const void* own = [] {
    Dl_info info{};
    dladdr(reinterpret_cast<const void*>(&no_error), &info);
    return info.dli_fbase;
  }();
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(instruction), &info) == 0 || info.dli_fname == nullptr)
    return false;
  return info.dli_fbase != own && may_have_lines(info.dli_fname);
}

struct Frame {
  bool is_stub = false;  // the compiler's function that gives a kernel's arguments to the runtime
  bool is_nvccs =
      false;  // which is called by one with the kernel's own name; clang's is called by the program
  recording::HostPlace place;
};

// Innermost first, with the functions that the compiler put in line.
int take_own(void* found, uintptr_t, const char* file, int line, const char* function) {
  const std::string_view name = function == nullptr ? "" : function;
  const bool is_stub = name.find("__device_stub__") != name.npos;
  if (!is_stub && (file == nullptr || line <= 0 || !is_own_source(file))) return 0;
  Frame frame;
  frame.is_stub = is_stub;
  frame.is_nvccs =
      name.find("__device_stub__Z") != name.npos;  // nvcc puts the kernel's mangled name after it
  if (!is_stub) {
    frame.place.file = file;
    frame.place.line = static_cast<uint32_t>(line);
    frame.place.function = name;
  }
  static_cast<std::vector<Frame>*>(found)->push_back(std::move(frame));
  return 0;
}

std::vector<Frame> looked_up(uintptr_t instruction) {
  std::vector<Frame> frames;
  if (!is_of_program(instruction)) return frames;
  reads_debug_information = true;
  backtrace_pcinfo(debug_information(), instruction, take_own, no_error, &frames);
  reads_debug_information = false;
  return frames;
}

struct Known {
  std::mutex mutex;
  std::unordered_map<uintptr_t, std::vector<Frame>> frames;
};
Known& known() {
  static auto& all = *new Known;
  return all;
}

// The last stacks of a thread: most calls come from a line that has called before, and to unwind a stack
// takes some ten microseconds. A stack is the same one where each return address on the way to the line is
// where it was.
struct Slot {
  const uintptr_t* at = nullptr;
  uintptr_t value = 0;
};
struct Stack {
  const void* frame = nullptr;  // of cpp_place
  std::vector<Slot> slots;
  const recording::HostPlace* place = nullptr;
};
constexpr size_t most_stacks = 64;

struct LastStacks {
  std::vector<Stack> stacks;
  size_t next = 0;

  const Stack* find(const void* frame) const {
    for (const Stack& stack : stacks)
      if (stack.frame == frame && std::all_of(stack.slots.begin(), stack.slots.end(),
                                              [](const Slot& slot) { return *slot.at == slot.value; }))
        return &stack;
    return nullptr;
  }
  void keep(Stack stack) {
    if (stacks.size() < most_stacks)
      stacks.push_back(std::move(stack));
    else
      stacks[next++ % most_stacks] = std::move(stack);
  }
};
thread_local LastStacks last_stacks;

struct Walk {
  recording::HostPlace place;
  std::vector<Slot> slots;
  bool has_slots = true;
  int frames = 0;
  bool is_kernel = false;  // the next one is the kernel's own name, which calls the stub
};

// Where the address is kept that the called function returns to: x86-64 pushes it before the called frame.
void note_slot(_Unwind_Context* context, uintptr_t returns_to, Walk& walk) {
#ifdef __x86_64__
  const auto* at = reinterpret_cast<const uintptr_t*>(_Unwind_GetCFA(context)) - 1;
  walk.has_slots = walk.has_slots && *at == returns_to;
  walk.slots.push_back({at, returns_to});
#else
  walk.has_slots = false;
#endif
}

_Unwind_Reason_Code look_at_frame(_Unwind_Context* context, void* data) {
  Walk& walk = *static_cast<Walk*>(data);
  if (walk.frames++ == 0) return _URC_NO_REASON;  // cpp_place itself
  int is_before = 0;
  const uintptr_t returns_to = _Unwind_GetIPInfo(context, &is_before);
  if (returns_to == 0) return _URC_END_OF_STACK;
  note_slot(context, returns_to, walk);
  // The call is before the instruction that it returns to.
  const uintptr_t instruction = is_before != 0 ? returns_to : returns_to - 1;
  auto [at, is_new] = known().frames.try_emplace(instruction);
  if (is_new) at->second = looked_up(instruction);
  for (const Frame& frame : at->second) {
    if (!frame.is_stub && !walk.is_kernel) {
      walk.place = frame.place;
      return _URC_END_OF_STACK;
    }
    walk.is_kernel = frame.is_nvccs;
  }
  return walk.frames >= most_frames ? _URC_END_OF_STACK : _URC_NO_REASON;
}

// "std::sort" of "_ZSt4sortIPiEvT_S1_": without the types of its template and its parameters.
std::string plain_name(const char* symbol) {
  int error = 0;
  const std::unique_ptr<char, void (*)(void*)> whole(abi::__cxa_demangle(symbol, nullptr, nullptr, &error),
                                                     std::free);
  std::string name = whole == nullptr ? symbol : whole.get();
  name.resize(std::min(name.size(), name.find_first_of("<(")));
  name.erase(0, name.find_last_of(' ') + 1);
  // The C library's own names: __libc_free, __memset_avx2_unaligned. And Thrust's, of one version and device.
  for (const std::string_view own : {"__libc_", "__"})
    if (name.starts_with(own)) name.erase(0, own.size());
  if (name.starts_with("mem")) name.resize(std::min(name.size(), name.find('_')));
  if (const size_t version = name.find("THRUST_"); version != name.npos)
    name.erase(version, name.find("::", version) + 2 - version);
  return name;
}

struct Climb {
  uintptr_t instruction = 0;
  bool is_below = true;  // still in the frames of the signal handler
  int frames = 0;
  recording::HostPlace place;
  InterruptedCall call;
};

int climb_calls(void* data, uintptr_t, const char* file, int line, const char* function) {
  Climb& climb = *static_cast<Climb*>(data);
  if (file != nullptr && line > 0 && is_own_source(file)) {
    climb.place = {file, function == nullptr ? "" : function, static_cast<uint32_t>(line)};
    return 1;
  }
  if (function == nullptr) return 0;
  climb.call.called = plain_name(function);
  climb.call.in_thrust = climb.call.in_thrust || climb.call.called.starts_with("thrust::");
  return 0;
}

_Unwind_Reason_Code climb_frame(_Unwind_Context* context, void* data) {
  Climb& climb = *static_cast<Climb*>(data);
  int is_before = 0;
  const uintptr_t at = _Unwind_GetIPInfo(context, &is_before);
  if (at == 0 || ++climb.frames > 2 * most_frames) return _URC_END_OF_STACK;
  climb.is_below = climb.is_below && at != climb.instruction;
  if (climb.is_below) return _URC_NO_REASON;
  const uintptr_t instruction = is_before != 0 ? at : at - 1;
  if (is_of_program(instruction)) {
    reads_debug_information = true;
    backtrace_pcinfo(debug_information(), instruction, climb_calls, no_error, &climb);
    reads_debug_information = false;
    return climb.place.line != 0 ? _URC_END_OF_STACK : _URC_NO_REASON;
  }
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(instruction), &info) != 0 && info.dli_sname != nullptr)
    climb.call.called = plain_name(info.dli_sname);
  return _URC_NO_REASON;
}

}  // namespace

}  // namespace warplens::driver

// NOLINTBEGIN(bugprone-reserved-identifier): the linker's names
extern "C" {

int __real_dl_iterate_phdr(int (*take)(dl_phdr_info*, size_t, void*), void* data);

int __wrap_dl_iterate_phdr(int (*take)(dl_phdr_info*, size_t, void*), void* data) {
  using namespace warplens::driver;
  if (!reads_debug_information) return __real_dl_iterate_phdr(take, data);
  Listener listener{take, data};
  return __real_dl_iterate_phdr(take_if_own, &listener);
}

}  // extern "C"
// NOLINTEND(bugprone-reserved-identifier)

namespace warplens::driver {

const recording::HostPlace* cpp_place() {
  const void* frame = __builtin_frame_address(0);
  if (const Stack* stack = last_stacks.find(frame)) return stack->place;
  const std::scoped_lock lock(known().mutex);
  Walk walk;
  _Unwind_Backtrace(look_at_frame, &walk);
  const recording::HostPlace* place = kept(std::move(walk.place));
  if (walk.has_slots && place != nullptr) last_stacks.keep({frame, std::move(walk.slots), place});
  return place;
}

std::string host_symbol(uintptr_t address) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(address), &info) == 0) return {};
  const auto take = [](void* found, uintptr_t, const char* symbol, uintptr_t, uintptr_t) {
    if (symbol != nullptr) *static_cast<std::string*>(found) = symbol;
  };
  std::string symbol;
  const std::scoped_lock lock(known().mutex);
  reads_debug_information = true;
  backtrace_syminfo(debug_information(), address, take, no_error, &symbol);
  reads_debug_information = false;
  int error = 0;
  const std::unique_ptr<char, void (*)(void*)> name(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &error), std::free);
  return name == nullptr ? symbol : name.get();
}

InterruptedCall interrupted_call(uintptr_t instruction) {
  Climb climb;
  climb.instruction = instruction;
  _Unwind_Backtrace(climb_frame, &climb);
  climb.call.place = kept(std::move(climb.place));
  return std::move(climb.call);
}

#else

const recording::HostPlace* cpp_place() { return nullptr; }
std::string host_symbol(uintptr_t) { return {}; }
InterruptedCall interrupted_call(uintptr_t) { return {}; }

#endif

}  // namespace warplens::driver
