// Real programs of other tools with bytes flipped, lines dropped or doubled and numbers changed: each ends in
// a refusal with a reason, a fault with a report, or a result, within its budget.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "core/gpu/engine/virtual_gpu.h"
#include "core/job/files/launch_file.h"
#include "core/launch/backend.h"
#include "tests/paths.h"

namespace warplens {
namespace THIS_FILE {

#if defined(NDEBUG) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
constexpr int mutations = 10'000;
#else
constexpr int mutations = 500;
#endif

std::vector<LaunchRequest> small_programs() {
  const std::filesystem::path folder = test_files::source_dir() / "tests/data/outside";
  std::vector<std::filesystem::path> paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (entry.path().extension() == ".json") paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<LaunchRequest> requests;
  for (const auto& path : paths) {
    Result<LaunchFile> file = read_launch_file(path.string());
    EXPECT_TRUE(file.ok()) << path << file.error().message;
    if (file.ok() && file->request.module && !file->request.module->ptx.empty() &&
        file->request.module->ptx.size() < 10'000)
      requests.push_back(std::move(file->request));
  }
  return requests;
}

class Mutator {
 public:
  explicit Mutator(uint32_t seed) : m_random(seed) {}

  std::string mutated(std::string text) {
    for (size_t edits = 1 + below(3); edits > 0 && text.size() > 1; --edits) edit(text);
    return text;
  }

 private:
  size_t below(size_t bound) { return m_random() % bound; }

  void edit(std::string& text) {
    const size_t at = below(text.size());
    const size_t begin = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
    const size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    switch (below(5)) {
      case 0:
        text[at] = static_cast<char>(below(256));
        break;
      case 1:
        text.erase(begin, end - begin);
        break;
      case 2:
        text.insert(begin, text.substr(begin, end - begin));
        break;
      case 3:
        swap_lines(text, begin, end);
        break;
      default:
        change_number(text, at);
    }
  }
  void swap_lines(std::string& text, size_t begin, size_t end) {
    const std::string line = text.substr(begin, end - begin);
    const size_t to = text.rfind('\n', below(text.size()));
    text.erase(begin, end - begin);
    text.insert(to == std::string::npos ? 0 : std::min(to + 1, text.size()), line);
  }
  void change_number(std::string& text, size_t at) {
    const size_t digit = text.find_first_of("0123456789", at);
    if (digit == std::string::npos) return;
    const size_t end = std::min(text.find_first_not_of("0123456789", digit), text.size());
    const char* numbers[] = {
        "0", "1", "2", "31", "32", "4096", "65536", "4294967295", "18446744073709551615"};
    text.replace(digit, end - digit, numbers[below(std::size(numbers))]);
  }

  std::mt19937 m_random;
};

TEST(MutatedPrograms, EndInARefusalAFaultOrAResult) {
  const std::vector<LaunchRequest> programs = small_programs();
  ASSERT_GT(programs.size(), 60u);
  const auto gpu = make_virtual_gpu();
  Mutator mutator(20);
  int refused = 0, faults = 0, finished = 0;
  for (int i = 0; i < mutations; ++i) {
    auto request = std::make_shared<LaunchRequest>(programs[static_cast<size_t>(i) % programs.size()]);
    auto module = std::make_shared<ModuleText>(*request->module);
    module->ptx = mutator.mutated(module->ptx);
    request->module = module;
    request->workers = 1;
    request->step_budget = 100'000;
    const Result<RunResult> result = gpu->run(request, {}, nullptr);
    if (!result.ok()) {
      EXPECT_FALSE(result.error().message.empty()) << module->ptx;
      ++refused;
    } else if (result->status == RunStatus::fault) {
      ASSERT_FALSE(result->faults.empty()) << module->ptx;
      EXPECT_FALSE(result->faults[0].message.empty()) << module->ptx;
      ++faults;
    } else {
      ++finished;
    }
  }
  // All three do happen.
  EXPECT_GT(refused, mutations / 20);
  EXPECT_GT(faults, mutations / 100);
  EXPECT_GT(finished, mutations / 20);
  RecordProperty("refused", refused);
  RecordProperty("faults", faults);
}

}  // namespace THIS_FILE
}  // namespace warplens
