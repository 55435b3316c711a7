// A host program that reads or writes device memory by its address dies of a segmentation fault. The sentence
// that says why comes before that.
#pragma once

namespace warplens::driver {

// From now on, unless the program or another library has a handler of its own for SIGSEGV: theirs stays.
void watch_host_faults();

}  // namespace warplens::driver
