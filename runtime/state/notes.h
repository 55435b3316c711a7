// What our driver lets the runtime library say (driver/calls/refused.cpp): NVIDIA's driver has none of it.
#pragma once

extern "C" {

// A sentence on standard error and in the recording.
__attribute__((weak)) void warplens_tell(const char* kind, int code, const char* sentence);
// A call failed: "cudaMalloc", "cudaErrorMemoryAllocation".
__attribute__((weak)) void warplens_failed(const char* call, const char* name);
// The program asks for its last error, or what a code means.
__attribute__((weak)) void warplens_asked();

}  // extern "C"
