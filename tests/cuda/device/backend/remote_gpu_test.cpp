// The connection between the program and the process that runs launches, and what happens when that process
// fails.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "core/launch/steps.h"
#include "cuda/device/backend/remote_gpu.h"

#ifdef __linux__
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "core/system/places.h"
#include "cuda/device/backend/wire.h"
#include "cuda/device/backend/worker.h"

namespace warplens::cuda {
namespace THIS_FILE {

using testing::HasSubstr;
using namespace std::chrono_literals;

LaunchRequest some_request() {
  LaunchRequest request;
  request.kernel = "k";
  auto module = std::make_shared<ModuleText>();
  module->ptx = "the text";
  module->ptx_name = "k.ptx";
  request.module = module;
  request.device.id = "cuda:1";
  request.device.compute_capability = {9, 0};
  request.device.l2_bytes = 50 << 20;
  BufferSpec buffer;
  buffer.name = "x";
  buffer.bytes = 3;
  buffer.dtype = DType::i8;
  buffer.output = true;
  buffer.initial = std::make_shared<const Bytes>(Bytes{std::byte{7}, std::byte{8}});
  request.buffers = {buffer};
  request.globals = {{"g", Bytes(5)}};
  LaunchStep launch;
  launch.entry = "k";
  launch.grid = {2, 3, 4};
  launch.block = {5, 6, 7};
  launch.cooperative = true;
  StructArgument structure;
  structure.bytes.resize(24);
  structure.pointers = {{8, {0, 1}}};
  TextureArgument texture;
  texture.spec.width = 99;
  texture.spec.address[2] = TextureAddress::border;
  launch.arguments = {BufferArgument{0, 2}, ScalarArgument{DType::f64, 77}, structure, texture};
  request.steps = {AllocateStep{0}, CopyInStep{0}, launch, CopyOutStep{0}, FreeStep{0}};
  request.repeat = 9;
  request.contract = false;
  request.time_limit_ms = 1234;
  return request;
}

TEST(Wire, CarriesARequest) {
  const LaunchRequest sent = some_request();
  const auto got = decode_request(encode(sent));
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->module->ptx, "the text");
  EXPECT_EQ(got->device.l2_bytes, 50u << 20);
  EXPECT_EQ(*got->buffers[0].initial, *sent.buffers[0].initial);
  ASSERT_EQ(got->steps.size(), 5u);
  EXPECT_EQ(std::get<FreeStep>(got->steps[4]).buffer, 0u);
  const auto& launch = std::get<LaunchStep>(got->steps[2]);
  EXPECT_EQ(launch.block, (Dim3{5, 6, 7}));
  EXPECT_TRUE(launch.cooperative);
  EXPECT_EQ(std::get<ScalarArgument>(launch.arguments[1]).bits, 77u);
  EXPECT_EQ(std::get<StructArgument>(launch.arguments[2]).pointers[0].to.offset, 1u);
  EXPECT_EQ(std::get<TextureArgument>(launch.arguments[3]).spec.address[2], TextureAddress::border);
  EXPECT_FALSE(got->contract);
  EXPECT_EQ(got->time_limit_ms, 1234u);
}

TEST(Wire, CarriesAResultAndAnError) {
  RunResult result;
  result.status = RunStatus::fault;
  result.cuda_error = "cudaErrorIllegalAddress";
  result.console = "printed";
  result.outputs = {{4, std::make_shared<const Bytes>(Bytes(3)), nullptr}};
  result.faults.emplace_back().kind = IncidentKind::trap;
  result.measured.emplace().kernel_us = spread_of({3, 1, 2});
  const auto got = decode_result(encode(Result<RunResult>(result)));
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(got->status, RunStatus::fault);
  EXPECT_EQ(got->console, "printed");
  EXPECT_EQ(got->outputs[0].index, 4u);
  EXPECT_EQ(got->faults[0].kind, IncidentKind::trap);
  EXPECT_EQ(got->measured->kernel_us->median, 2);
  EXPECT_FALSE(got->measured->copy_in_us);
  const auto error = decode_result(encode(Result<RunResult>(missing("why"))));
  ASSERT_FALSE(error.ok());
  EXPECT_EQ(error.error().kind, ErrorKind::missing);
  EXPECT_EQ(error.error().message, "why");
}

TEST(Wire, IsReadWithCare) {
  const std::string bytes = encode(some_request());
  for (size_t end = 0; end < bytes.size(); ++end) EXPECT_FALSE(decode_request(bytes.substr(0, end)).ok());
  EXPECT_FALSE(decode_request(bytes + "x").ok());
  for (size_t at = 0; at < bytes.size(); ++at) {  // whatever it is, reading ends
    std::string spoilt = bytes;
    spoilt[at] = static_cast<char>(0xff);
    (void)decode_request(spoilt);
    (void)decode_result(spoilt);
  }
}

class Scripted final : public Backend {
 public:
  explicit Scripted(GpuBackendOptions options) : m_options(std::move(options)) {}
  Result<RunResult> run(std::shared_ptr<const LaunchRequest> request, std::stop_token, Progress*) override {
    m_options.started();
    m_options.passed();
    RunResult result;
    result.entry = first_launch(*request)->entry;
    result.message = std::string(3 << 20, 'x');  // more than a socket holds
    return result;
  }

 private:
  GpuBackendOptions m_options;
};

TEST(Worker, AnswersEachRequestWithSignsOfLife) {
  auto wire = make_wire();
  ASSERT_TRUE(wire.ok());
  std::jthread worker([end = std::move(wire->second)]() mutable {
    serve(end, [](const GpuBackendOptions& options) { return std::make_unique<Scripted>(options); });
  });
  {
    Wire ours = std::move(wire->first);
    Wire::Message message;
    for (int i = 0; i < 2; ++i) {
      ASSERT_TRUE(ours.send(tag::request, encode(some_request())));
      std::string tags;
      do {
        ASSERT_EQ(ours.receive(message, 10s), Wire::State::message);
        tags += message.tag;
      } while (message.tag != tag::result);
      EXPECT_EQ(tags, "SPR");
      const auto result = decode_result(message.bytes);
      ASSERT_TRUE(result.ok());
      EXPECT_EQ(result->message.size(), size_t{3} << 20);
    }
    ASSERT_TRUE(ours.send(tag::request, "garbage"));
    ASSERT_EQ(ours.receive(message, 10s), Wire::State::message);
    EXPECT_FALSE(decode_result(message.bytes).ok());
  }  // closing the wire ends the worker
}

std::shared_ptr<const LaunchRequest> shared_request(uint32_t buffer_bytes = 3) {
  LaunchRequest request = some_request();
  request.buffers[0].bytes = buffer_bytes;
  request.buffers[0].initial = std::make_shared<const Bytes>(Bytes(buffer_bytes));
  return std::make_shared<const LaunchRequest>(std::move(request));
}

TEST(RemoteGpu, SaysHowItsProcessEnded) {
  RemoteGpu gpu({"/bin/sh", {"-c", "exit 7"}});
  for (int i = 0; i < 2; ++i) {  // and starts another one
    const auto result = gpu.run(shared_request(), {}, nullptr);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, ErrorKind::failed);
    EXPECT_THAT(result.error().message, HasSubstr("ended with status 7"));
  }
}

TEST(RemoteGpu, SaysThatItsProgramIsNotThere) {
  RemoteGpu gpu({"/no/such/program", {}});
  const auto result = gpu.run(shared_request(), {}, nullptr);
  ASSERT_FALSE(result.ok());
  EXPECT_THAT(result.error().message, HasSubstr("/no/such/program"));
}

// A copy of this program, which runs this test again, loses its file and starts itself all the same.
TEST(RemoteGpu, ItsProgramStartsEvenIfItsFileIsGone) {
  constexpr const char* is_copy = "WARPLENS_TEST_IS_COPY";
  if (std::getenv(is_copy) != nullptr) {
    const std::string program = running_program();
    ASSERT_TRUE(std::filesystem::remove(program_path()));
    const auto child = ChildProcess::start(program, {"--gtest_list_tests"});
    EXPECT_TRUE(child) << (child ? "" : child.error().message);
    return;
  }
  const auto copy = std::filesystem::path(testing::TempDir()) / "warplens_copy_of_cuda_tests";
  std::filesystem::copy_file(program_path(), copy, std::filesystem::copy_options::overwrite_existing);
  const std::string again =
      fmt::format("{}=1 '{}' --gtest_filter=RemoteGpu.ItsProgram*", is_copy, copy.string());
  EXPECT_EQ(std::system(again.c_str()), 0);
  EXPECT_FALSE(std::filesystem::exists(copy));
}

// A process that takes nothing, then one that takes the request and never answers: a stop ends both.
TEST(RemoteGpu, IsStoppedWhateverItsProcessDoes) {
  for (const uint32_t bytes : {8u << 20, 3u}) {
    RemoteGpu gpu({"/bin/sleep", {"1000"}});
    std::stop_source stop;
    const std::jthread later([&] {
      std::this_thread::sleep_for(50ms);
      stop.request_stop();
    });
    const auto result = gpu.run(shared_request(bytes), stop.get_token(), nullptr);
    ASSERT_TRUE(result.ok()) << result.error().message;
    EXPECT_EQ(result->status, RunStatus::cancelled);
  }
}

// Says that it has begun, and never ends.
TEST(RemoteGpu, EndsWhatTakesTooLong) {
  RemoteGpu gpu({"/bin/sh", {"-c", R"(printf 'S\0\0\0\0\0\0\0\0' >&0; exec sleep 1000)"}});
  LaunchRequest request = some_request();
  request.time_limit_ms = 200;
  const auto result = gpu.run(std::make_shared<const LaunchRequest>(request), {}, nullptr);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(result->status, RunStatus::fault);
  ASSERT_EQ(result->faults.size(), 1u);
  EXPECT_EQ(result->faults[0].kind, IncidentKind::time_limit);
  EXPECT_THAT(result->message, HasSubstr("after 0.2 s"));
  EXPECT_NE(result->request, nullptr);
}

#ifdef __linux__
// The newest child process of this one.
pid_t newest_child() {
  std::ifstream file("/proc/thread-self/children");
  pid_t child = 0;
  while (file >> child) {
  }
  return child;
}

// Holds a process as a driver does that is stuck: killed, it is not gone before this is.
class Holder {
 public:
  explicit Holder(pid_t held) {
    int said[2];
    if (::pipe(said) != 0) return;
    m_id = ::fork();
    if (m_id == 0) {
      const char holds = ::ptrace(PTRACE_SEIZE, held, nullptr, nullptr) == 0 ? 'y' : 'n';
      const ssize_t written = ::write(said[1], &holds, 1);
      while (written == 1) ::pause();
      ::_exit(0);
    }
    char holds = 'n';
    m_holds = ::read(said[0], &holds, 1) == 1 && holds == 'y';
    ::close(said[0]);
    ::close(said[1]);
  }
  ~Holder() {
    ::kill(m_id, SIGKILL);
    ::waitpid(m_id, nullptr, 0);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;
  bool holds() const { return m_holds; }

 private:
  pid_t m_id = -1;
  bool m_holds = false;
};

TEST(ChildProcess, IsNotWaitedForWhereItCannotEnd) {
  auto child = ChildProcess::start("/bin/sleep", {"1000"});
  ASSERT_TRUE(child.ok());
  const pid_t held = newest_child();
  const Holder holder(held);
  if (!holder.holds()) GTEST_SKIP() << "this system lets no process hold another";
  EXPECT_THAT((*child)->end(), HasSubstr("does not let go"));
  EXPECT_EQ(::kill(held, 0), 0) << "it is still there, and nobody waited for it";
}
#endif

}  // namespace THIS_FILE
}  // namespace warplens::cuda
