// The variant behind Action, for those who tell all actions apart. It takes long to compile, so nothing else
// includes it.
#pragma once

#include <variant>

#include "app/state/actions.h"

namespace warplens {

namespace detail {
// The first is nothing: so each row of the list can bring its own comma.
template <class Nothing, class... Kinds>
using VariantOf = std::variant<Kinds...>;
}  // namespace detail

#define WARPLENS_ACTION(Name) , Name
struct Action::OneOf {
  detail::VariantOf<void
#include "app/state/actions.def"
                    >
      kind;
};
#undef WARPLENS_ACTION

}  // namespace warplens
