#include "app/host/web/stacks.h"

#include <emscripten.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "core/base/system/between_frames.h"

extern "C" {
// Emscripten's C library has this: where the stack in memory ends now.
void* stackSave();
void stackRestore(void* end);
// stacks.js
int warplens_has_stacks();
int warplens_stopped_stacks();
void warplens_begin_stack(void* end, uint32_t number);
void warplens_go_on();
void warplens_stop();
}

namespace warplens::host {
namespace {

constexpr size_t stack_bytes = size_t{2} << 20;
// Each mailbox works on one order at most. Further orders wait.
constexpr size_t most_stacks = 4;

struct Stack {
  std::unique_ptr<std::byte, decltype(&std::free)> bytes{nullptr, std::free};
  bool used = false;
};

struct Stacks {
  std::vector<Stack> all = std::vector<Stack>(most_stacks);
  bool on_one = false;  // whether the current work can be stopped
  bool worked = false;  // whether the stack that ended last did anything
  double end = 0;       // when the time for work ends, as emscripten_get_now() counts
  WorkTime time;
};
Stacks& stacks() {
  static Stacks only;
  return only;
}

constexpr double milliseconds = 1000;  // in a second

void stop_if_time_is_up() {
  const double now = emscripten_get_now();
  if (!stacks().on_one || now < stacks().end) return;
  stacks().time.stopped((now - stacks().end) / milliseconds);
  stacks().on_one = false;
  void* const here = stackSave();
  warplens_stop();
  stackRestore(here);
  stacks().on_one = true;
}

Stack* free_stack() {
  for (Stack& stack : stacks().all) {
    if (stack.used) continue;
    if (!stack.bytes) stack.bytes.reset(static_cast<std::byte*>(std::malloc(stack_bytes)));
    return stack.bytes ? &stack : nullptr;
  }
  return nullptr;
}

// Works on a separate stack. False if there was no work.
bool begin() {
  Stack* const stack = free_stack();
  if (stack == nullptr) return false;
  stack->used = true;
  stacks().worked = true;  // also if the work is stopped
  warplens_begin_stack(stack->bytes.get() + stack_bytes, static_cast<uint32_t>(stack - stacks().all.data()));
  return stacks().worked;
}

}  // namespace

bool has_stacks() { return warplens_has_stacks() != 0; }

const WorkTime& work_time() { return stacks().time; }

bool work_for(double seconds) {
  stacks().end = emscripten_get_now() + seconds * milliseconds;
  // New work comes first: it is often short, and stopped work continues in the next frame.
  if (begin()) return true;
  if (warplens_stopped_stacks() == 0) return false;
  warplens_go_on();
  return true;
}

}  // namespace warplens::host

// The work of one stack. The page calls it, because a call by the program itself could not be stopped.
extern "C" EMSCRIPTEN_KEEPALIVE void warplens_work(uint32_t number) {
  using namespace warplens;
  using namespace warplens::host;
  static const TurnsForFrames turns(stop_if_time_is_up);
  stacks().on_one = true;
  bool worked = false;
  while (work_between_frames()) {
    worked = true;
    give_way();
  }
  stacks().on_one = false;
  stacks().worked = worked;
  stacks().all[number].used = false;
}
