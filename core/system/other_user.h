// Runs programs of strangers as a user that owns nothing, without a network: for machines on which no sandbox
// can be made, as within most containers. It needs root, which may become another user.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace warplens {

struct OtherUser {
  std::string name;
  uint32_t uid = 0, gid = 0;
};

// By its name or its number. It should do nothing else on this machine, since its processes are ended. An
// error says why programs cannot be run as this user: not root, no such user, or one that is root itself.
Result<OtherUser> find_other_user(const std::string& name);

// Becomes that user for good: its groups, no new rights by any program, and neither sockets nor the calls
// that make them by another way. Only calls that are safe between fork and exec. False, with errno, if
// anything of it failed; then nothing of a stranger may run.
bool become_other_user(const OtherUser& user);

// A folder of its own for what it writes, which goes when this goes, with every process of the user. Since
// one program's end is that of all of them, `make` waits until no other process of this machine has such a
// folder.
class OtherUsersFolder {
 public:
  static Result<OtherUsersFolder> make(const OtherUser& user);
  OtherUsersFolder(OtherUsersFolder&& other) noexcept;
  OtherUsersFolder& operator=(OtherUsersFolder&&) = delete;
  ~OtherUsersFolder();
  const std::string& path() const { return m_path; }

 private:
  OtherUsersFolder(OtherUser user, int turn) : m_user(std::move(user)), m_turn(turn) {}
  OtherUser m_user;
  int m_turn;          // a descriptor of a locked file; -1 if it was moved from
  std::string m_path;  // empty if it was moved from, or not made
};

}  // namespace warplens
