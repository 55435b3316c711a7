// A small recording for tests, made as the driver makes one: a program that launches the kernel `twice`,
// which doubles 256 numbers, several times. The first two launches can be run again.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "core/pages/time.h"
#include "core/recording/journal.h"
#include "core/recording/recorder.h"
#include "core/recording/recording.h"

namespace warplens {

constexpr const char* twice_ptx = R"(.version 7.0
.target sm_80
.address_size 64
.visible .entry twice(.param .u64 twice_param_0)
{
  .reg .b64 %rd<5>;
  .reg .b32 %r<6>;
  ld.param.u64 %rd1, [twice_param_0];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.s32 %r4, %r1, %r2, %r3;
  mul.wide.s32 %rd3, %r4, 4;
  add.s64 %rd4, %rd2, %rd3;
  ld.global.u32 %r5, [%rd4];
  add.s32 %r5, %r5, %r5;
  st.global.u32 [%rd4], %r5;
  ret;
}
)";

class MadeRecording {
 public:
  // With `fault`, a finding of the driver says that this launch read beyond its array. With several streams,
  // launches take turns among them, and each waits for the one before. With managed bytes, the host writes
  // the first half of an array of them before each launch, and the kernel reads all of it.
  explicit MadeRecording(uint64_t launches = 3, uint64_t fault = 0, uint64_t streams = 1,
                         uint64_t managed_bytes = 0) {
    std::string made = (std::filesystem::temp_directory_path() / "warplens-program-XXXXXX").string();
    EXPECT_NE(mkdtemp(made.data()), nullptr);
    folder = made;
    for (const char* name : {"journals", "launches"}) std::filesystem::create_directories(folder / name);
    write(launches, fault, streams, managed_bytes);
    path = (folder / "made.warplens").string();
    const auto joined =
        recording::join_recording((folder / "journals").string(), (folder / "launches").string(),
                                  {{"python3", "twice.py"}, "rtx_3060", 0, 12.5}, uint64_t{64} << 20, path);
    EXPECT_TRUE(joined) << (joined ? "" : joined.error().message);
  }
  ~MadeRecording() { std::filesystem::remove_all(folder); }
  MadeRecording(const MadeRecording&) = delete;
  MadeRecording& operator=(const MadeRecording&) = delete;

  std::filesystem::path folder;
  std::string path;

 private:
  static constexpr uint64_t address = 0x1000000000, managed_address = 0x700000000000;

  static std::vector<std::byte> numbers(uint32_t factor) {
    std::vector<std::byte> made(256 * 4);
    for (uint32_t i = 0; i < 256; ++i) {
      const uint32_t number = (i + 1) * factor;
      std::memcpy(&made[i * 4], &number, 4);
    }
    return made;
  }

  static void use(recording::Journal& journal, pages::Array& array, pages::Side by, size_t units,
                  double begin_us, double at_us) {
    std::vector<pages::Use> uses(array.units());
    std::fill_n(uses.begin(), units, pages::Use{pages::pages_of_unit, true});
    const pages::Moves moves = array.use(by, uses, {});
    recording::PagesNote note;
    note.why = by == pages::Side::host ? "host" : "kernel";
    note.to = by;
    note.address = managed_address;
    note.bytes = moves.bytes;
    note.misses = moves.misses;
    note.changed = moves.changed;
    if (by == pages::Side::device) note.begin_us = begin_us;
    note.device_us = pages::use_us(by, moves);
    note.at_us = at_us;
    journal.pages(note);
  }

  void write(uint64_t launches, uint64_t fault, uint64_t streams, uint64_t managed_bytes) const {
    recording::Journal journal((folder / "journals").string(), "rtx_3060", "NVIDIA GeForce RTX 3060",
                               "modelled");
    recording::Recorder recorder((folder / "launches").string(), *recording::parse_selection("1-2"),
                                 uint64_t{64} << 20);
    journal.copy({.direction = recording::Direction::to_device,
                  .bytes = 1024,
                  .device_address = address,
                  .begin_us = 0,
                  .device_us = 9,
                  .at_us = 10});
    pages::Array managed(managed_bytes);
    if (managed_bytes != 0) journal.allocate(managed_address, managed_bytes, "managed");
    std::vector<std::byte> parameter(8);
    std::memcpy(parameter.data(), &address, 8);
    for (uint64_t number = 1; number <= launches; ++number) {
      if (recorder.wants(number, number)) {
        const std::vector<std::byte> before = numbers(1u << (number - 1)), after = numbers(1u << number);
        recording::LaunchRecording launch;
        launch.number = number;
        launch.kernel = launch.entry = "twice";
        launch.ptx = twice_ptx;
        launch.grid = {4, 1, 1};
        launch.block = {64, 1, 1};
        launch.parameters = {{false, parameter}};
        launch.memory = {{"array 1", "device", "", address, before}};
        recorder.note(launch);
        recorder.note_end({{"array 1", "device", "", address, after}}, false);
      }
      // Longer than the kernel waits for its pages.
      const double begin_us = (managed_bytes != 0 ? 6000.0 : 10.0) * double(number),
                   at_us = 100.0 * double(number);
      if (managed_bytes != 0) use(journal, managed, pages::Side::host, managed.units() / 2, 0, at_us);
      const uint64_t stream = number % streams;
      if (streams > 1) journal.wait(journal.next_work() - 1, stream);
      journal.launch({.kernel = "twice",
                      .grid = {4, 1, 1},
                      .block = {64, 1, 1},
                      .stream = stream,
                      .begin_us = begin_us,
                      .device_us = managed_bytes != 0 ? 5000.0 : 2.5,
                      .at_us = at_us,
                      .host_us = 30});
      if (managed_bytes != 0) use(journal, managed, pages::Side::device, managed.units(), begin_us, at_us);
      if (number == fault)
        journal.finding({.kind = "out_of_bounds",
                         .code = 700,
                         .message = "twice: block (3, 0, 0) reads 4 bytes past the end of array 1",
                         .kernel = "twice",
                         .file = "/home/me/twice.cu",
                         .line = 9});
    }
  }
};

}  // namespace warplens
