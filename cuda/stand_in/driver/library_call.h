// The driver's interface for our own libraries (libraries/): it runs their work in the order of a stream,
// with the device's memory as the host's. NVIDIA's driver has none of it. All types are C's, since each
// library brings its own C++ library.
#pragma once

#include <cudaTypedefs.h>  // and cuda.h

#include <cstddef>
#include <cstdint>

extern "C" {

// How work uses memory.
enum warplens_use { warplens_reads, warplens_writes, warplens_updates };

// Device memory, while the work runs.
struct warplens_memory {
  void* self;
  // The host's bytes of `rows` rows of `width` bytes that begin `pitch` bytes apart. Null if they are not in
  // one allocation; then the reason was reported. `use` is one of the ways above.
  void* (*at)(void* self, uint64_t address, size_t pitch, size_t width, size_t rows, int use);
  // What is reported if the work ends with work_lacks_memory for another reason, such as an index in device
  // memory that is too large.
  void (*say)(void* self, const char* sentence);
};

// How work ends: it is done, device memory is not allocated, or this machine has no room.
enum warplens_work_end { work_done, work_lacks_memory, work_lacks_room };

// The unit that computes, whose rate the modelled time has.
enum warplens_unit { warplens_fp32, warplens_fp64, warplens_fp16, warplens_integer };

struct warplens_library_work {
  const char* name;   // of the function, which lives as long as the library
  char shape[96];     // "512 × 512 × 512", for people
  double operations;  // a multiply-add is two
  enum warplens_unit unit;
  int waits;  // the program waits for the result
  // One of the ends above. It may run several times, in a CUDA graph, so what it needs is in `data`.
  int (*run)(void* data, const struct warplens_memory* memory);
  void (*destroy)(void* data);
  void* data;
};

// Runs the work on the stream, or makes it a node if the stream is being captured; `data` is destroyed in any
// case. The device's clock runs by a modelled time, and the journal notes the call. Errors: those of a
// launch, CUDA_ERROR_ILLEGAL_ADDRESS where memory was not there, which every later call gives too.
__attribute__((weak)) CUresult warplens_run_library(CUstream stream,
                                                    const struct warplens_library_work* work);
// A sentence on standard error and in the recording, each once.
__attribute__((weak)) void warplens_tell(const char* kind, int code, const char* sentence);

}  // extern "C"
