#include "core/streams/copy_waits.h"

namespace warplens::streams {

namespace {

bool is_host(Memory memory) { return memory == Memory::pageable || memory == Memory::pinned; }

}  // namespace

HostWaits waits_of_copy(bool async, Memory to, Memory from) {
  if (is_host(to) && is_host(from)) return HostWaits::until_done;
  if (async) return to == Memory::pageable ? HostWaits::until_done : HostWaits::no;
  if (to == Memory::device && from == Memory::device) return HostWaits::no;
  // The pageable memory was read once the call is over.
  return from == Memory::pageable ? HostWaits::for_earlier : HostWaits::until_done;
}

HostWaits waits_of_set(bool async, Memory to) {
  return async || to == Memory::device ? HostWaits::no : HostWaits::until_done;
}

}  // namespace warplens::streams
