// A program on the driver under test whose recording is read back.
#pragma once

#include <cstring>
#include <filesystem>

#include "core/recording/recording.h"
#include "tests/cuda/stand_in/driver/library.h"

namespace warplens::test {

namespace fs = std::filesystem;

class DriverRecording : public DriverTest {
 public:
  void SetUp() override {
    std::string made = (fs::temp_directory_path() / "warplens-driver-XXXXXX").string();
    ASSERT_NE(mkdtemp(made.data()), nullptr);
    folder = made;
    set_variable("WARPLENS_PROGRAM_JOURNAL", folder.string());
    set_variable("WARPLENS_PROGRAM_RECORD", folder.string());
  }
  void TearDown() override { fs::remove_all(folder); }

  recording::Recording read() {
    const std::string path = (folder / "x.warplens").string();
    EXPECT_TRUE(recording::join_recording(folder.string(), folder.string(), {{}, "rtx_3060"}, 1 << 30, path));
    Result<recording::Recording> made = recording::read_recording(path);
    EXPECT_TRUE(made);
    return std::move(*made);
  }
  static std::vector<uint32_t> words(const recording::Recording& made, const std::string& name,
                                     size_t count) {
    std::vector<uint32_t> values(count);
    const auto at = made.data.find(name);
    if (at != made.data.end())
      std::memcpy(values.data(), at->second.data(), std::min(count * 4, at->second.size()));
    return values;
  }
  fs::path folder;
};

}  // namespace warplens::test
