#include "app/state/actions.h"

namespace warplens {

#define WARPLENS_ACTION(Name) \
  Action::Action(Name what)   \
      : m_kind(ActionKind::Name), m_what(std::make_shared<const Name>(std::move(what))) {}
#include "app/state/actions.def"
#undef WARPLENS_ACTION

void Actions::push(Action action) { m_queue.push_back(std::move(action)); }

}  // namespace warplens
