// Stubs for everything that starts or joins another program.
#include "core/system/process.h"

#include "core/system/attached.h"
#include "core/system/channel.h"
#include "core/system/loopback.h"
#include "core/system/own_process.h"
#include "core/system/run_program.h"

namespace warplens {

namespace {

Error no_programs(const std::string& program) {
  return missing(program + " cannot be started: this build starts no programs.");
}

std::string name_of(const std::vector<std::string>& words) { return words.empty() ? "A program" : words[0]; }

}  // namespace

Result<ProgramEnd> run_program(const std::string& program, const std::vector<std::string>&,
                               std::chrono::milliseconds) {
  return no_programs(program);
}

Result<ProcessEnd> run_limited(const std::vector<std::string>& words, std::string_view, const ProcessLimits&,
                               std::stop_token) {
  return no_programs(name_of(words));
}

Result<ProcessEnd> run_heard(const HeardProgram& program,
                             const std::function<void(ProgramStream, std::string_view)>&, std::stop_token) {
  return no_programs(name_of(program.words));
}

// There is no program to pass them on to.
SignalsForProgram::SignalsForProgram() { hear_interrupts(); }
SignalsForProgram::~SignalsForProgram() { leave_interrupts(); }

Result<int> run_attached(const std::vector<std::string>& command,
                         const std::vector<std::pair<std::string, std::string>>&) {
  return no_programs(name_of(command));
}

Result<std::pair<Channel, Channel>> Channel::make() { return missing("This build joins no processes."); }
Channel Channel::of_input() { return Channel(-1); }
Channel::Channel(Channel&& other) noexcept : m_number(other.m_number) {}
Channel::~Channel() { m_number = -1; }
bool Channel::can_send(std::chrono::milliseconds) const { return true; }
bool Channel::has_come(std::chrono::milliseconds) const { return true; }
std::optional<size_t> Channel::send(std::string_view) { return std::nullopt; }
std::optional<size_t> Channel::receive(std::span<char>) { return std::nullopt; }

Result<LoopbackPort> LoopbackPort::listen(uint16_t) { return missing("This build opens no ports."); }
LoopbackPort::LoopbackPort(LoopbackPort&& other) noexcept : m_number(other.m_number), m_port(other.m_port) {}
LoopbackPort::~LoopbackPort() { m_number = -1; }
std::optional<Channel> LoopbackPort::accept(std::chrono::milliseconds) { return std::nullopt; }
Result<Channel> LoopbackPort::connect(uint16_t) { return missing("This build opens no ports."); }

void end_with_input() {}

Result<JoinedProcess> JoinedProcess::start(const std::string& program, const std::vector<std::string>&,
                                           const Channel&) {
  return no_programs(program);
}
JoinedProcess::JoinedProcess(JoinedProcess&& other) noexcept
    : m_id(other.m_id), m_ended(std::move(other.m_ended)) {}
JoinedProcess::~JoinedProcess() = default;
std::string JoinedProcess::end(bool) { return m_ended; }

}  // namespace warplens
