// Calls that exist but are not supported: each says so once.
#pragma once

#include <cstdint>

namespace warplens::driver {

// NVIDIA's runtime library asks for tables of NVIDIA's driver.
void note_export_table(const void* caller);  // the address that the call returns to

// Exists while one of NVIDIA's libraries works for us in this thread, which has the lock and calls the driver
// as well.
struct OwnLibrary {
  OwnLibrary();
  ~OwnLibrary();
};
bool own_library_calls();

}  // namespace warplens::driver

extern "C" int warplens_refuse(uint32_t row);
