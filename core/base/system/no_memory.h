// Turns a lack of memory into an Error: the standard library throws an exception, but core returns a value.
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "core/base/result.h"

namespace warplens {

// Returns the Result of `work`, or an error with this message if `work` runs out of memory.
template <class Work>
auto or_no_memory(Work&& work, const char* message) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {  // the size is more than any machine has
  }
  return failed(message);
}

}  // namespace warplens
