#pragma once

namespace warplens::fft {

// What cufftGetVersion says: 11401 is 11.4.1.
extern const int library_version;

}  // namespace warplens::fft
