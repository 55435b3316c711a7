// Work of one of our own libraries in which several devices take part (libraries/nccl): each device does its
// part in its own stream, and events make the streams wait for each other.
#pragma once

#include "cuda/stand_in/driver/library_call.h"

extern "C" {

struct warplens_exchange {
  // By the device, over its link. The time is that of a copy of the larger of both, if that is longer than
  // the work's other time.
  uint64_t sent_bytes, received_bytes;
  // The second part of the newest work of the stream, which takes no more time and has no line in recordings.
  int continues;
};

// warplens_run_library() for a part of such work, in the context of the stream. Any thread of the program may
// call it for any stream. A stream that is being captured is not supported.
__attribute__((weak)) CUresult warplens_run_exchange(CUstream stream,
                                                     const struct warplens_library_work* work,
                                                     const struct warplens_exchange* exchange);

}  // extern "C"
