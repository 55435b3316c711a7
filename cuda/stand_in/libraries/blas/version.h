#pragma once

namespace warplens::blas {

// What cublasGetVersion says: 130100 is 13.1.0.
extern const int library_version;

}  // namespace warplens::blas
