#pragma once

namespace warplens::solver {

// What cusolverGetVersion says: 11705 is 11.7.5.
extern const int library_version;

}  // namespace warplens::solver
