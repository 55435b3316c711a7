#include "core/system/other_user.h"
#include "core/base/text.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <utility>

#include <fcntl.h>
#include <grp.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pwd.h>
#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstddef>

namespace warplens {

namespace {

#if defined(__x86_64__)
constexpr uint32_t this_architecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t this_architecture = AUDIT_ARCH_AARCH64;
#else
constexpr uint32_t this_architecture = 0;  // no filter: nothing is run
#endif

// System calls by which a program could access the network, or another process of the same user.
constexpr uint32_t refused_calls[] = {__NR_socket,           __NR_ptrace,
                                      __NR_process_vm_readv, __NR_process_vm_writev,
                                      __NR_io_uring_setup,   __NR_unshare};

// A filter of the kernel (seccomp): refused calls fail with EPERM, and so does every call of another
// architecture, or of x32, whose numbers have other meanings.
bool refuse_calls() {
  if (this_architecture == 0) {
    errno = ENOSYS;
    return false;
  }
  constexpr uint32_t calls = std::size(refused_calls);
  constexpr uint32_t x32 = 0x40000000;
  sock_filter code[calls + 8] = {};
  uint32_t at = 0;
  const auto jump = [&](uint16_t test, uint32_t value, uint32_t yes, uint32_t no) {
    code[at++] = BPF_JUMP(BPF_JMP | test | BPF_K, value, static_cast<uint8_t>(yes), static_cast<uint8_t>(no));
  };
  const auto load = [&](size_t offset) {
    code[at++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset));
  };
  load(offsetof(seccomp_data, arch));
  jump(BPF_JEQ, this_architecture, 0, calls + 3);
  load(offsetof(seccomp_data, nr));
  jump(BPF_JGE, x32, calls + 1, 0);
  for (uint32_t i = 0; i < calls; ++i) jump(BPF_JEQ, refused_calls[i], calls - i, 0);
  code[at++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
  code[at++] = BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM);
  const sock_fprog program{static_cast<unsigned short>(at), code};
  return ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

// Only a process of the user itself can end all of its processes without listing them.
void end_processes_of(const OtherUser& user) {
  const pid_t child = ::fork();
  if (child == 0) {
    if (::setgroups(0, nullptr) == 0 && ::setgid(user.gid) == 0 && ::setuid(user.uid) == 0)
      ::kill(-1, SIGKILL);
    ::_exit(0);
  }
  if (child > 0) ::waitpid(child, nullptr, 0);
}

// A descriptor of a file of root's that no other process has locked. Closing the descriptor unlocks it.
Result<int> take_turn(const OtherUser& user) {
  const std::string path = fmt::format("/run/warplens_judge_{}.lock", user.uid);
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0) return failed(fmt::format("{} could not be opened: {}.", path, std::strerror(errno)));
  int locked = -1;
  while ((locked = ::flock(file, LOCK_EX)) != 0 && errno == EINTR) {
  }
  if (locked == 0) return file;
  const Error error = failed(fmt::format("{} could not be locked: {}.", path, std::strerror(errno)));
  ::close(file);
  return error;
}

}  // namespace

Result<OtherUser> find_other_user(const std::string& name) {
  if (::geteuid() != 0)
    return missing("programs can be run as another user only by root, and this process is not root.");
  if (is_digits(name)) {
    const unsigned long long number = std::strtoull(name.c_str(), nullptr, 10);
    if (number == 0 || number >= UINT32_MAX) return missing(fmt::format("{} is no user's number.", name));
    return OtherUser{name, static_cast<uint32_t>(number), static_cast<uint32_t>(number)};
  }
  passwd entry{};
  passwd* found = nullptr;
  char room[4096];
  if (::getpwnam_r(name.c_str(), &entry, room, sizeof room, &found) != 0 || found == nullptr)
    return missing(
        fmt::format("there is no user {} on this machine (useradd --system --no-create-home --shell "
                    "/usr/sbin/nologin {}).",
                    name, name));
  if (entry.pw_uid == 0) return missing(fmt::format("the user {} is root.", name));
  return OtherUser{name, entry.pw_uid, entry.pw_gid};
}

bool become_other_user(const OtherUser& user) {
  const gid_t group = user.gid;
  if (::setgroups(1, &group) != 0 || ::setresgid(user.gid, user.gid, user.gid) != 0 ||
      ::setresuid(user.uid, user.uid, user.uid) != 0)
    return false;
  if (::setuid(0) == 0) {  // it must not be able to change back
    errno = EPERM;
    return false;
  }
  return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && refuse_calls();
}

Result<OtherUsersFolder> OtherUsersFolder::make(const OtherUser& user) {
  const Result<int> turn = take_turn(user);
  if (!turn) return turn.error();
  OtherUsersFolder folder(user, *turn);
  std::error_code error;
  std::string path = (std::filesystem::temp_directory_path(error) / "warplens_judge_XXXXXX").string();
  if (error || ::mkdtemp(path.data()) == nullptr)
    return failed(fmt::format("No temporary folder could be made: {}.", std::strerror(errno)));
  folder.m_path = std::move(path);
  if (::chown(folder.m_path.c_str(), user.uid, user.gid) != 0)
    return failed(
        fmt::format("{} could not be given to {}: {}.", folder.m_path, user.name, std::strerror(errno)));
  return folder;
}

OtherUsersFolder::~OtherUsersFolder() {
  if (!m_path.empty()) {
    end_processes_of(m_user);
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
  }
  if (m_turn >= 0) ::close(m_turn);
}

OtherUsersFolder::OtherUsersFolder(OtherUsersFolder&& other) noexcept
    : m_user(std::move(other.m_user)),
      m_turn(std::exchange(other.m_turn, -1)),
      m_path(std::exchange(other.m_path, {})) {}

}  // namespace warplens
