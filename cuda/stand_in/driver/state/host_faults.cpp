#include "cuda/stand_in/driver/state/host_faults.h"

#include <fmt/format.h>
#include <ucontext.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <mutex>
#include <string>
#include <string_view>

#include "core/program/op/address_space.h"
#include "core/recording/shown_path.h"
#include "cuda/stand_in/driver/state/gpu.h"
#include "cuda/stand_in/driver/state/host_guards.h"
#include "cuda/stand_in/driver/state/host_place.h"
#include "cuda/stand_in/driver/state/order.h"

namespace warplens::driver {

namespace {

// Where modules, allocations and what kernels allocate have their addresses; nothing of the host lies there.
bool is_of_device(uint64_t address) {
  return address >= program::module_base && address < program::kernel_heap_end;
}

struct Interrupted {
  uintptr_t instruction = 0;
  const char* verb = "read or wrote";
  bool writes = false;
};
Interrupted interrupted(const void* context) {
  const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#ifdef __x86_64__
  constexpr greg_t is_write = 2;  // of the error code of a page fault
  const bool writes = (machine.gregs[REG_ERR] & is_write) != 0;
  return {static_cast<uintptr_t>(machine.gregs[REG_RIP]), writes ? "wrote" : "read", writes};
#else
  return {static_cast<uintptr_t>(machine.pc)};
#endif
}

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;
    text.remove_prefix(static_cast<size_t>(written));
  }
}

// Only what a signal handler may call (man 7 signal-safety): digits are written by hand.
void write_sentence(uint64_t address, const char* verb) {
  char digits[] = "0x0000000000000000";
  for (char* digit = digits + 17; address != 0; address >>= 4) *digit-- = "0123456789abcdef"[address & 15];
  for (const char* part : {"warplens: The host program ", verb, " ", static_cast<const char*>(digits),
                           ", which is memory of the device (cudaMalloc, cuMemAlloc, a __device__ variable): "
                           "only kernels reach it. "
                           "Copy it with cudaMemcpy, or allocate it with cudaMallocManaged. The program ends "
                           "with a segmentation "
                           "fault.\n"})
    write_all(part);
}

// What to do, by the beginning of the name of the function that was given the address; the first that fits.
struct CallAdvice {
  std::string_view begins, advice;
};
constexpr std::array call_advice = {
    CallAdvice{"cudaFree", "{} takes the pointer itself: read it from an array of the host."},
    CallAdvice{"cudaMalloc",
               "{} writes the new address there. Let it write to an array of the host, as in float* rows[4]; "
               "cudaMalloc(&rows[r], …), and copy that array to the device with cudaMemcpy."},
    CallAdvice{"cuda",
               "{} reads or writes there on the host: give it the address of a variable of the host."},
    CallAdvice{"cu", "{} reads or writes there on the host: give it the address of a variable of the host."},
    CallAdvice{"free", "Memory of cudaMalloc is freed with cudaFree."},
    CallAdvice{"realloc",
               "Memory of the device cannot grow: allocate a new array and copy, then cudaFree the old."},
    CallAdvice{"operator delete", "Memory of cudaMalloc is freed with cudaFree."},
    CallAdvice{"", "{} runs on the host: give it memory of the host."}};

std::string advice_for(const InterruptedCall& call) {
  if (call.in_thrust)
    return "Thrust takes a raw pointer for one of the host: pass thrust::device as the first argument, as in "
           "thrust::sort(thrust::device, …), or wrap the pointer with thrust::device_pointer_cast.";
  for (const CallAdvice& row : call_advice)
    if (call.called.starts_with(row.begins)) return fmt::format(fmt::runtime(row.advice), call.called);
  return {};
}

// For the summary and the recording. The device may be locked by this thread, which then is in one of our
// calls.
void note(const InterruptedCall& call, const std::string& sentence) {
  Gpu* device = gpu();
  if (device == nullptr) return;
  const std::unique_lock lock(device->mutex, std::try_to_lock);
  if (!lock.owns_lock() && host_place() == nullptr) return;
  device->journal.finding(
      {.kind = "host_access", .message = sentence, .said = device->says_to_launcher(), .place = call.place});
}

// The program, and not one of our own calls or kernels, uses memory that work of the device may still use.
void look_at_access(uint64_t address, const Interrupted& where, const OpenedPages& pages) {
  if (gpu() == nullptr || in_host_call()) return;
  const recording::HostPlace* place = is_python() ? python_place() : nullptr;
  if (place == nullptr) place = interrupted_call(where.instruction).place;
  const std::unique_lock lock(gpu()->mutex, std::try_to_lock);
  if (!lock.owns_lock()) return;
  const AtPlace here(place);
  const bool is_done =
      touch_by_host(*gpu(), address, where.writes ? streams::Access::write : streams::Access::read);
  if (!is_done && !where.writes) guard_pages(pages.begin, pages.end, Guard::against_writes);
}

void tell(uint64_t address, const Interrupted& where) {
  write_sentence(address, where.verb);
  // More than a signal handler may do. The program ends in any case, also if this waits for a lock for ever.
  constexpr unsigned most_seconds = 5;
  std::signal(SIGALRM, SIG_DFL);
  alarm(most_seconds);
  InterruptedCall call = interrupted_call(where.instruction);
  if (call.place == nullptr) call = {host_place(), {}, false};
  if (call.place != nullptr) {
    const std::string inside =
        call.called.empty() ? "." : fmt::format(", in {}. {}", call.called, advice_for(call));
    write_all(fmt::format("warplens: It was at {}:{}{}\n", recording::shown_path(call.place->file),
                          call.place->line, inside));
  }
  note(call,
       call.called.empty()
           ? fmt::format("The host program {} 0x{:x}, which is memory of the device: only kernels reach it.",
                         where.verb, address)
           : fmt::format("In {}, the host program {} 0x{:x}, which is memory of the device. {}", call.called,
                         where.verb, address, advice_for(call)));
  alarm(0);
}

void on_fault(int, siginfo_t* info, void* context) {
  const int error = errno;
  const auto address = reinterpret_cast<uint64_t>(info->si_addr);
  if (const OpenedPages pages = open_pages_at(address); pages.end != 0) {
    look_at_access(address, interrupted(context), pages);
    errno = error;
    return;
  }
  // The instruction runs again and ends the program as ever.
  std::signal(SIGSEGV, SIG_DFL);
  if (is_of_device(address)) tell(address, interrupted(context));
}

}  // namespace

void watch_host_faults() {
  struct sigaction now {};
  if (sigaction(SIGSEGV, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL)
    return;
  struct sigaction ours {};
  ours.sa_sigaction = on_fault;
  ours.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &ours, nullptr);
}

bool watches_host_faults() {
  struct sigaction now {};
  return sigaction(SIGSEGV, nullptr, &now) == 0 && (now.sa_flags & SA_SIGINFO) != 0 &&
         now.sa_sigaction == on_fault;
}

}  // namespace warplens::driver
