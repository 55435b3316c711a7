// Finds where a CUDA C++ text assigns to which names.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace warplens {

// The lines, counted from 1, on which a name is followed by =, += or similar, or is next to ++ or --.
// Declarations with an initial value are included. Members ("p.x = 1") and elements ("a[i] = 1") are not:
// only names of whole variables count.
std::map<std::string, std::set<uint32_t>, std::less<>> assignments_in(std::string_view source);

}  // namespace warplens
