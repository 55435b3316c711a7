// Where a text in CUDA C++ assigns to which names.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace warplens {

// The lines, counted from 1, on which a name stands before =, += and the like, or beside ++ or --. A
// declaration with an initial value is among them. Members ("p.x = 1") and elements ("a[i] = 1") are not:
// only the names of whole variables count.
std::map<std::string, std::set<uint32_t>, std::less<>> assignments_in(std::string_view source);

}  // namespace warplens
