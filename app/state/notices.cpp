// Messages of the program itself.
#include "app/state/problems.h"
#include "app/state/reducers.h"

namespace warplens {
namespace detail {

void apply(ProblemsState& problems, const DismissNotice& action) {
  std::erase_if(problems.notices, [&](const Problem& p) { return p.notice == action.notice; });
}

// The same message again moves to the front instead of filling the list.
void apply(ProblemsState& problems, const Notify& action) {
  std::erase_if(problems.notices,
                [&](const Problem& p) { return p.title == action.title && p.message == action.message; });
  Problem notice;
  notice.level = action.level;
  notice.id = "notice";
  notice.title = action.title;
  notice.message = action.message;
  notice.notice = problems.next_notice++;
  problems.notices.insert(problems.notices.begin(), notice);
  constexpr size_t max_notices = 20;
  if (problems.notices.size() > max_notices) problems.notices.resize(max_notices);
}

}  // namespace detail
}  // namespace warplens
