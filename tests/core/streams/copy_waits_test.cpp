// Which copies and memsets make the host wait, against NVIDIA's page (data/api_sync.tsv).
#include "core/streams/copy_waits.h"

#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <sstream>
#include <string>

#include "tests/paths.h"

namespace warplens::streams {
namespace THIS_FILE {

TEST(CopyWaits, AreThoseOfTheApisPage) {
  const std::map<std::string, Memory> memories = {{"pageable", Memory::pageable},
                                                  {"pinned", Memory::pinned},
                                                  {"managed", Memory::managed},
                                                  {"device", Memory::device}};
  const std::map<HostWaits, std::string> words = {
      {HostWaits::no, "no"}, {HostWaits::for_earlier, "for_earlier"}, {HostWaits::until_done, "until_done"}};
  std::ifstream file(test_files::source_dir() / "tests/core/streams/data/api_sync.tsv");
  size_t rows = 0;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#') || line.starts_with("call\t")) continue;
    std::istringstream row(line);
    std::string call, to, from, today, before;
    row >> call >> to >> from >> today >> before;
    const bool async = call.ends_with("Async");
    const HostWaits waits = call.starts_with("cudaMemset")
                                ? waits_of_set(async, memories.at(to))
                                : waits_of_copy(async, memories.at(to), memories.at(from));
    EXPECT_EQ(words.at(waits), before) << line;
    if (today == "until_done" || today == "for_earlier") {
      EXPECT_EQ(words.at(waits), today) << line;
    }
    ++rows;
  }
  EXPECT_GT(rows, 70u);
}

}  // namespace THIS_FILE
}  // namespace warplens::streams
