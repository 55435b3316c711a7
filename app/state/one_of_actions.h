// The variant inside Action, for code that handles every kind of action. It takes long to compile, so no
// other code includes it.
#pragma once

#include <variant>

#include "app/state/actions.h"

namespace warplens {

namespace detail {
// The first type is unused. It lets each row of the list begin with a comma.
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
