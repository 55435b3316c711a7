// Sentences about kernels of Numba in Numba's words.
#pragma once

#include <cstdint>
#include <string>

namespace warplens::recording {

// The sentence with Numba's names of functions in the place of CUDA C++'s, and the variable of the script in
// the place of a shared array's name in the PTX. `file` and `line` are in the kernel; if the file cannot be
// read, a shared array has no name.
std::string in_numba_words(std::string sentence, const std::string& file, uint32_t line);

}  // namespace warplens::recording
