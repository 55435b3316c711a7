// The value of an expression, as C computes it, but exact: what is undefined in C (overflow, a division of
// whole numbers by zero, a shift by 64, bits of a double) has no value.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/expression/tree.h"

namespace warplens::expression {

// An element of an array of the tree.
using Elements = std::function<Value(uint32_t array, Value index)>;

// With a value for each name; those that are not there are not known. A value that does not depend on an
// unknown one is known: false && x, true ? 1 : x.
Value evaluate(const Tree& tree, std::span<const Value> names, const Elements& elements = {});
// Of a part.
Value evaluate_part(const Tree& tree, uint32_t node, std::span<const Value> names,
                    const Elements& elements = {});

// For several lanes at once, which takes less time for each: the values of name n are `lanes` values from
// names[n * lanes] on.
std::vector<Value> evaluate_lanes(const Tree& tree, std::span<const Value> names, size_t lanes);

}  // namespace warplens::expression
