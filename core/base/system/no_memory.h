// Memory that the system does not give is an error like any other: the standard library throws, core returns
// a value.
#pragma once

#include <new>
#include <stdexcept>
#include <string>

#include "core/base/result.h"

namespace warplens {

// What `work` returns, a Result; where it runs out of memory, the error with this message.
template <class Work>
auto or_no_memory(Work&& work, const char* message) -> decltype(work()) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
  } catch (const std::length_error&) {  // more than any machine has
  }
  return failed(message);
}

}  // namespace warplens
