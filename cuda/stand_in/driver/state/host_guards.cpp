#include "cuda/stand_in/driver/state/host_guards.h"

#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cinttypes>
#include <cstdio>
#include <fstream>
#include <string>

namespace warplens::driver {

namespace {

// The handler reads this table without a lock: an entry whose guard is not none does not change but to none.
struct GuardedPages {
  std::atomic<uint64_t> begin{0}, end{0};
  std::atomic<Guard> guard{Guard::none};
};
constexpr size_t most_guarded = 256;
std::array<GuardedPages, most_guarded> entries;
std::atomic<size_t> used{0};  // the entries from here on were never used

void* pointer_to(uint64_t address) {
  return reinterpret_cast<void*>(static_cast<uintptr_t>(address));  // NOLINT(performance-no-int-to-ptr)
}

// Not by the C library, whose function tells us what the program protects (host_calls.cpp).
bool protect(uint64_t begin, uint64_t end, int allowed) {
  return syscall(SYS_mprotect, pointer_to(begin), end - begin, allowed) == 0;
}

void open(GuardedPages& entry) {
  protect(entry.begin.load(), entry.end.load(), PROT_READ | PROT_WRITE);
  entry.guard.store(Guard::none);
}

template <class F>
void for_each_guarded(F f) {
  const size_t count = used.load();
  for (size_t i = 0; i < count; ++i)
    if (entries[i].guard.load() != Guard::none) f(entries[i]);
}

}  // namespace

bool guard_pages(uint64_t begin, uint64_t end, Guard guard) {
  open_pages(begin, end);
  size_t index = 0;
  while (index < used.load() && entries[index].guard.load() != Guard::none) ++index;
  if (index == most_guarded) return false;
  GuardedPages& entry = entries[index];
  entry.begin.store(begin);
  entry.end.store(end);
  if (index == used.load()) used.store(index + 1);
  entry.guard.store(guard);
  const int allowed = guard == Guard::against_all ? PROT_NONE : PROT_READ;
  if (protect(begin, end, allowed)) return true;
  open(entry);
  return false;
}

void open_pages(uint64_t begin, uint64_t end) {
  for_each_guarded([&](GuardedPages& entry) {
    if (entry.begin.load() < end && begin < entry.end.load()) open(entry);
  });
}

void open_all_pages() { for_each_guarded(open); }

OpenedPages open_pages_at(uint64_t address) {
  OpenedPages found;
  for_each_guarded([&](GuardedPages& entry) {
    if (address < entry.begin.load() || address >= entry.end.load()) return;
    found = {entry.begin.load(), entry.end.load()};
    open(entry);
  });
  return found;
}

bool may_be_guarded(uint64_t begin, uint64_t end) {
  pthread_attr_t attributes;
  void* stack = nullptr;
  size_t stack_bytes = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return false;
  pthread_attr_getstack(&attributes, &stack, &stack_bytes);
  pthread_attr_destroy(&attributes);
  const auto lowest = reinterpret_cast<uintptr_t>(stack);
  if (begin < lowest + stack_bytes && lowest < end) return false;
  std::ifstream maps("/proc/self/maps");  // in the order of addresses
  for (std::string line; begin < end && std::getline(maps, line);) {
    uint64_t from = 0, to = 0;
    std::array<char, 5> allowed{};
    if (std::sscanf(line.c_str(), "%" SCNx64 "-%" SCNx64 " %4s", &from, &to, allowed.data()) != 3)
      return false;
    if (to <= begin) continue;
    if (from > begin || allowed[0] != 'r' || allowed[1] != 'w' || line.ends_with("[stack]")) return false;
    begin = to;
  }
  return begin >= end;
}

uint64_t guarded_in(uint64_t begin, uint64_t end, bool writes) {
  uint64_t first = 0;
  for_each_guarded([&](const GuardedPages& entry) {
    if (!writes && entry.guard.load() == Guard::against_writes) return;
    const uint64_t from = std::max(begin, entry.begin.load());
    if (from < std::min(end, entry.end.load()) && (first == 0 || from < first)) first = from;
  });
  return first;
}

}  // namespace warplens::driver
