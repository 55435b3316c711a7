#include "app/state/actions.h"

#include "app/state/one_of_actions.h"

namespace warplens {

#define WARPLENS_ACTION(Name) \
  Action::Action(Name what) : m_one_of(std::make_shared<const OneOf>(OneOf{std::move(what)})) {}
#include "app/state/actions.def"
#undef WARPLENS_ACTION

template <class Kind>
const Kind* as(const Action& action) {
  return std::get_if<Kind>(&action.one_of().kind);
}

#define WARPLENS_ACTION(Name) template const Name* as(const Action&);
#include "app/state/actions.def"
#undef WARPLENS_ACTION

void Actions::push(Action action) { m_queue.push_back(std::move(action)); }

}  // namespace warplens
