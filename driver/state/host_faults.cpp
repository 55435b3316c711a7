#include "driver/state/host_faults.h"

#include <ucontext.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "core/program/op/address_space.h"
#include "driver/state/host_place.h"

namespace warplens::driver {

namespace {

// Where modules, allocations and what kernels allocate have their addresses; nothing of the host lies there.
bool is_of_device(uint64_t address) {
  return address >= program::module_base && address < program::kernel_heap_end;
}

// Only what a signal handler may call (man 7 signal-safety): digits are written by hand.
void write_sentence(uint64_t address) {
  char text[] =
      "warplens: the host program read or wrote 0x0000000000000000, which is memory of the device "
      "(cudaMalloc, cuMemAlloc, a __device__ variable): only kernels reach it. Copy it with cudaMemcpy, or "
      "allocate it with cudaMallocManaged. The program ends with a segmentation fault.\n";
  char* digit = std::strstr(text, "0x") + 17;
  for (; address != 0; address >>= 4) *digit-- = "0123456789abcdef"[address & 15];
  for (size_t at = 0; at + 1 < sizeof text;) {
    const ssize_t written = write(STDERR_FILENO, text + at, sizeof text - 1 - at);
    if (written <= 0) break;
    at += static_cast<size_t>(written);
  }
}

// SA_RESETHAND has brought the default back: the instruction runs again and ends the program as ever.
void tell(int, siginfo_t* info, void* context) {
  const auto address = reinterpret_cast<uint64_t>(info->si_addr);
  if (!is_of_device(address)) return;
  write_sentence(address);
  // More than a signal handler may do: the instruction is one of the program's own, outside of malloc and its
  // lock, and the program ends in any case.
#ifdef __x86_64__
  const auto instruction = static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP];
#else
  const auto instruction = static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#endif
  const recording::HostPlace* place = place_of_instruction(static_cast<uintptr_t>(instruction));
  if (place == nullptr) return;
  const std::string text = "warplens: It was at " + place->file + ":" + std::to_string(place->line) + ".\n";
  [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace

void watch_host_faults() {
  struct sigaction now {};
  if (sigaction(SIGSEGV, nullptr, &now) != 0 || (now.sa_flags & SA_SIGINFO) != 0 || now.sa_handler != SIG_DFL)
    return;
  struct sigaction ours {};
  ours.sa_sigaction = tell;
  ours.sa_flags = SA_SIGINFO | static_cast<int>(SA_RESETHAND);
  sigaction(SIGSEGV, &ours, nullptr);
}

}  // namespace warplens::driver
