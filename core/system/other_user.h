// Runs untrusted programs as a user that owns nothing, without a network: for machines on which no sandbox
// can be made, as in most containers. It needs root, since only root may change to another user.
#pragma once

#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace warplens {

struct OtherUser {
  std::string name;
  uint32_t uid = 0, gid = 0;
};

// Finds the user by name or number. The user should do nothing else on this machine, since all its processes
// are ended. An error says why programs cannot be run as this user: this process is not root, there is no
// such user, or the user is root.
Result<OtherUser> find_other_user(const std::string& name);

// Changes to that user permanently: its groups, no new rights by any program, and no sockets, including by
// other system calls. Uses only calls that are safe between fork and exec. Returns false, with errno, if any
// part of it failed; then no untrusted code may run.
bool become_other_user(const OtherUser& user);

// A folder for the files of the program. The destructor removes it and ends all processes of the user. Since
// the end of one program ends them all, `make` waits until no other process of this machine has such a
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
  int m_turn;          // a descriptor of a locked file; -1 after a move
  std::string m_path;  // empty after a move, or if it was not made
};

}  // namespace warplens
