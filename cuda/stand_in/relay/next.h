// The driver that this library wraps: NVIDIA's. Every function of the API is a pointer, so that those of
// which nothing is noted of are a jump (next.cpp), and the others call it: NEXT(cuMemAlloc_v2)(&address,
// bytes).
#pragma once

#include "cuda/stand_in/driver/api.h"

#define RELAY_NEXT(symbol) extern "C" __attribute__((visibility("hidden"))) void* warplens_next_##symbol;
#define DRIVER_CALL(name, version, symbol) RELAY_NEXT(symbol)
#define DRIVER_OTHER_NAME(name, version, symbol, same) RELAY_NEXT(symbol)
#define DRIVER_REFUSED(name, version, symbol, topic) RELAY_NEXT(symbol)
#include "cuda/stand_in/driver/api.def"
#undef DRIVER_CALL
#undef DRIVER_OTHER_NAME
#undef DRIVER_REFUSED
#undef RELAY_NEXT

// A function that NVIDIA's driver does not have returns "not supported".
#define NEXT(symbol) NEXT_LIKE(symbol, symbol)
// A symbol that the header does not declare, of the same type as one that it does: _ptds and _ptsz.
#define NEXT_LIKE(symbol, declared) reinterpret_cast<decltype(&(declared))>(warplens_next_##symbol)

namespace warplens::relay {

// Whether NVIDIA's driver was found and has the function.
bool has_next(const void* next);

}  // namespace warplens::relay
