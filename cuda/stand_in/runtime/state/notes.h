// Calls by which the runtime library reports messages to our driver (cuda/stand_in/driver/calls/refused.cpp).
// NVIDIA's driver has none of them.
#pragma once

extern "C" {

// A sentence on standard error and in the recording.
__attribute__((weak)) void warplens_tell(const char* kind, int code, const char* sentence);
// Notes that a call failed: "cudaMalloc", "cudaErrorMemoryAllocation".
__attribute__((weak)) void warplens_failed(const char* call, const char* name);
// Notes that the program asks for its last error, or what a code means.
__attribute__((weak)) void warplens_asked();

}  // extern "C"
