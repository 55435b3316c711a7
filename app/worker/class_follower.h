// Follows the class of a server (warplens serve) for the window of a projector: a Python script reads what
// the server tells, on a thread of its own.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "app/state/actions.h"
#include "core/base/system/mailbox.h"

namespace warplens {

// A line of the script (assets/class/follow.py): a state of the class, or a problem.
Result<ClassTold> parse_class_told(std::string_view line);

class ClassFollower {
 public:
  // It calls `on_event` on its thread whenever poll() has something new.
  explicit ClassFollower(std::function<void()> on_event);

  // The teacher's link. It is followed until the end.
  void follow(const std::string& link) { m_box.send(link); }
  std::vector<Action> poll() { return m_box.take(); }

 private:
  Mailbox<std::string, Action> m_box;
};

}  // namespace warplens
