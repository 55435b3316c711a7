#include "core/streams/conflict_text.h"

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>

namespace warplens::streams {
namespace THIS_FILE {

using testing::HasSubstr;

TEST(ConflictText, TheStreamIsFoundInTheCall) {
  const std::pair<const char*, const char*> cases[] = {
      {"  fill<<<n / 256, 256, 0, first>>>(a, n);", "first"},
      {"  fill<<<dim3(1, 2), f(x, y), 0, s[i]>>>(a);", "s[i]"},
      {"  fill<<<1, 32>>>(a);", ""},
      {"  fill<<<1, 32, 0, 0>>>(a);", ""},
      {"  cudaMemcpyAsync(d, h, n * sizeof(int), cudaMemcpyHostToDevice, copies);", "copies"},
      {"  CHECK(cudaMemsetAsync(d, 0, n, s));", "s"},
      {"  cudaMemcpy(d, h, n, cudaMemcpyHostToDevice);", ""},
      {"  cudaGraphLaunch(exec, s);", "s"},
      {"  cudaLaunchHostFunc(s, add_up, &sums);", "s"},
      {"", ""},
      {"<<<", ""},
      {"cudaMemcpyAsync(", ""},
  };
  for (const auto& [call, name] : cases) EXPECT_EQ(stream_argument(call, false), name) << call;
  const std::pair<const char*, const char*> python[] = {
      {"twice[4, 256, s](d)", "s"},
      {"twice[4, 256](d)", ""},
      {"d.copy_to_host(h, stream=s)", "s"},
      {"cuda.to_device(h, stream=streams[0])", "streams[0]"},
      {"kernel[", ""},
  };
  for (const auto& [call, name] : python) EXPECT_EQ(stream_argument(call, true), name) << call;
}

struct Source {
  std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) /
      (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".cu");
  explicit Source(const std::string& text) { std::ofstream(file) << text; }
  ~Source() { std::filesystem::remove(file); }
  recording::HostPlace at(uint32_t line) const { return {file.string(), "main", line}; }
};

TEST(ConflictText, AFunctionOfALibraryIsAsProgramsWriteIt) {
  const auto first = std::make_shared<Operation>(
      Operation{.kind = Operation::Kind::kernel, .stamp = {}, .name = "fill", .stream = 3});
  const auto second = std::make_shared<Operation>(
      Operation{.kind = Operation::Kind::library, .stamp = {}, .name = "ncclAllReduce", .stream = 4});
  EXPECT_THAT(
      text_of({first, second, Access::write, Access::read, {}}, "array 1").what,
      testing::StartsWith("ncclAllReduce in stream 4 reads array 1, which the kernel fill in stream 3 "));
}

TEST(ConflictText, NamesBothLinesAndTheCallThatIsMissing) {
  const Source source("fill<<<1, 32, 0, a>>>(x);\ntwice<<<1, 32, 0, b>>>(x, y);\nprintf(\"%d\", x[0]);\n");
  const recording::HostPlace first_place = source.at(1), second_place = source.at(2),
                             host_place = source.at(3);
  const auto first = std::make_shared<Operation>(Operation{
      .kind = Operation::Kind::kernel, .stamp = {}, .name = "fill", .stream = 3, .place = &first_place});
  const auto second = std::make_shared<Operation>(Operation{
      .kind = Operation::Kind::kernel, .stamp = {}, .name = "twice", .stream = 4, .place = &second_place});
  const ConflictText text = text_of({first, second, Access::write, Access::read, {}}, "array 1");
  EXPECT_EQ(text.what,
            "The kernel twice in stream b reads array 1, which the kernel fill of line 1 in stream a writes. "
            "Nothing orders the two: they may go on at once.");
  EXPECT_EQ(text.advice,
            "Call cudaEventRecord(done, a) after line 1 and cudaStreamWaitEvent(b, done) before line 2, or "
            "cudaStreamSynchronize(a) there.");
  const auto host = std::make_shared<Operation>(
      Operation{.kind = Operation::Kind::host_access, .stamp = {}, .name = {}, .place = &host_place});
  EXPECT_EQ(text_of({first, host, Access::write, Access::read, {}}, "managed memory 1").advice,
            "Call cudaStreamSynchronize(a) before line 3.");
}

TEST(ConflictText, WithoutLinesTheNumbersOfStreamsRemain) {
  const auto first = std::make_shared<Operation>(
      Operation{.kind = Operation::Kind::copy, .stamp = {}, .name = "host to device", .stream = 3});
  const auto second =
      std::make_shared<Operation>(Operation{.kind = Operation::Kind::set, .stamp = {}, .name = {}});
  const ConflictText text = text_of({first, second, Access::write, Access::write, {}}, "array 1");
  EXPECT_THAT(text.what, HasSubstr("The memset in the default stream writes array 1, which the copy host to "
                                   "device in stream 3 writes."));
  EXPECT_THAT(text.advice, HasSubstr("cudaStreamSynchronize of stream 3"));
}

}  // namespace THIS_FILE
}  // namespace warplens::streams
