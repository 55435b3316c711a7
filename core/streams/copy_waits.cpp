#include "core/streams/copy_waits.h"

namespace warplens::streams {

namespace {

bool is_host(Memory memory) { return memory == Memory::pageable || memory == Memory::pinned; }

}  // namespace

HostWaits waits_of_copy(bool async, Memory to, Memory from) {
  if (is_host(to) && is_host(from)) return HostWaits::until_done;
  const bool to_pageable = to == Memory::pageable && from == Memory::device;
  if (async) return to_pageable ? HostWaits::until_done : HostWaits::no;
  if (to == Memory::device && from == Memory::device) return HostWaits::no;
  // The pageable memory has been read when the call is over.
  const bool is_staged = to == Memory::device && from == Memory::pageable;
  return is_staged ? HostWaits::for_earlier : HostWaits::until_done;
}

HostWaits waits_of_set(bool async, Memory to) {
  return async || to == Memory::device ? HostWaits::no : HostWaits::until_done;
}

}  // namespace warplens::streams
