#include "core/system/other_user.h"

#include <utility>

namespace warplens {

namespace {

constexpr const char* no_users = "programs can be run as another user only on Linux.";

}  // namespace

Result<OtherUser> find_other_user(const std::string&) { return missing(no_users); }
bool become_other_user(const OtherUser&) { return false; }

Result<OtherUsersFolder> OtherUsersFolder::make(const OtherUser&) { return missing(no_users); }
OtherUsersFolder::OtherUsersFolder(OtherUsersFolder&& other) noexcept
    : m_user(std::move(other.m_user)), m_turn(other.m_turn), m_path(std::exchange(other.m_path, {})) {}
OtherUsersFolder::~OtherUsersFolder() = default;

}  // namespace warplens
