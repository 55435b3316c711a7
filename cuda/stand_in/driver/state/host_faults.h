// A host program that reads or writes device memory by its address ends with a segmentation fault. The
// message that says why is printed before that.
#pragma once

namespace warplens::driver {

// From now on, unless the program or another library has a handler of its own for SIGSEGV: theirs stays.
void watch_host_faults();
// Whether that handler is in place.
bool watches_host_faults();

}  // namespace warplens::driver
