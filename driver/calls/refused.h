// Calls that are there and do not work: each says so once.
#pragma once

#include <cstdint>

namespace warplens::driver {

// NVIDIA's runtime library asks for tables of NVIDIA's driver.
void note_export_table(const void* caller);  // the address that the call returns to

// While a library of NVIDIA works for us in this thread, which holds the lock and asks the driver things as
// well.
struct OwnLibrary {
  OwnLibrary();
  ~OwnLibrary();
};
bool own_library_calls();

}  // namespace warplens::driver

extern "C" int warplens_refuse(uint32_t row);
