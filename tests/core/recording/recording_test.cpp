// A recording: what a driver writes of launches, joined to one file, and read back.
#include "core/recording/recording.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/base/json/json.h"
#include "core/base/system/files.h"
#include "core/recording/journal.h"
#include "core/recording/recorder.h"

namespace warplens::recording {
namespace THIS_FILE {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr uint64_t limit = uint64_t{64} << 20;

std::vector<std::byte> pattern(size_t bytes, unsigned seed) {
  std::vector<std::byte> made(bytes);
  for (size_t i = 0; i < bytes; ++i) made[i] = static_cast<std::byte>((i * 7 + seed) | 1);
  return made;
}

class RecordingFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string made = (fs::temp_directory_path() / "warplens-recording-XXXXXX").string();
    ASSERT_NE(mkdtemp(made.data()), nullptr);
    m_folder = made;
    fs::create_directories(m_folder / "journals");
    fs::create_directories(m_folder / "launches");
  }
  void TearDown() override { fs::remove_all(m_folder); }

  std::string folder(const char* name) const { return (m_folder / name).string(); }

  // A process that launches `add` with this memory, `count` times.
  void write_process(const std::vector<std::byte>& memory, int count, uint64_t room = limit,
                     Selection selection = {}) {
    Journal journal(folder("journals"), "rtx_3060", "NVIDIA GeForce RTX 3060", "modelled");
    Recorder recorder(folder("launches"), std::move(selection), room);
    const std::vector<std::byte> parameter = pattern(8, 3);
    for (int i = 1; i <= count; ++i) {
      const auto number = static_cast<uint64_t>(i);
      const std::vector<MemoryNote> pieces{{"array 1", "device", "", 0x1000000000, memory}};
      if (recorder.wants(number, number)) {
        LaunchRecording launch;
        launch.number = number;
        launch.kernel = "add";
        launch.entry = "_Z3addPf";
        launch.ptx = ".version 7.0";
        launch.place_global = 0x2000;
        launch.place_constant = 0x3000;
        launch.grid = {2, 1, 1};
        launch.block = {64, 1, 1};
        launch.parameters = {{false, parameter}};
        launch.memory = pieces;
        recorder.note(launch);
        const std::vector<std::byte> after = pattern(memory.size(), 99);
        recorder.note_end({{"array 1", "device", "", 0x1000000000, after}}, false);
      }
      journal.launch({.kernel = "add",
                      .grid = {2, 1, 1},
                      .block = {64, 1, 1},
                      .begin_us = 1.0 * i,
                      .device_us = 2.5,
                      .at_us = 100.0 * i,
                      .host_us = 30});
    }
    journal.copy({.direction = Direction::to_device,
                  .bytes = 400,
                  .device_address = 0x1000000000,
                  .begin_us = 0,
                  .device_us = 7,
                  .at_us = 50});
  }

  std::string join(uint64_t most = limit) {
    const std::string path = folder("made.warplens");
    const Result<bool> joined = join_recording(folder("journals"), folder("launches"),
                                               {{"python3", "x.py"}, "rtx_3060", 3, 12.5}, most, path);
    EXPECT_TRUE(joined) << (joined ? "" : joined.error().message);
    m_whole = joined && *joined;
    return path;
  }

  fs::path m_folder;
  bool m_whole = false;
};

TEST_F(RecordingFiles, HasTheTimeLineInOrderAndTheLaunchesWithTheirMemory) {
  const std::vector<std::byte> memory = pattern(1000, 5);
  write_process(memory, 5);
  const Result<Recording> read = read_recording(join());
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(m_whole);
  EXPECT_FALSE(read->cut);
  EXPECT_THAT(read->command, ElementsAre("python3", "x.py"));
  EXPECT_EQ(read->device, "rtx_3060");
  EXPECT_EQ(read->exit_status, 3u);
  ASSERT_THAT(read->events, SizeIs(6));
  EXPECT_EQ(read->events[0].kind, Event::Kind::copy);
  EXPECT_EQ(read->events[0].name, "host to device");
  EXPECT_EQ(read->events[0].at_us, 0);
  EXPECT_EQ(read->events[1].at_us, 50);
  ASSERT_THAT(read->launches, SizeIs(5));
  ASSERT_NE(read->launches[2]->launch, nullptr);
  EXPECT_EQ(read->launches[3]->launch, nullptr) << "the first three of a kernel";
  const RecordedLaunch& launch = *read->launches[0]->launch;
  EXPECT_EQ(launch.entry, "_Z3addPf");
  EXPECT_EQ(launch.place_global, 0x2000u);
  EXPECT_EQ(launch.grid, (Dim3{2, 1, 1}));
  ASSERT_THAT(launch.memory, SizeIs(1));
  EXPECT_EQ(launch.memory[0].address, 0x1000000000u);
  const auto kept = read->data.find(launch.memory[0].before);
  ASSERT_NE(kept, read->data.end());
  EXPECT_TRUE(std::equal(memory.begin(), memory.end(), kept->second.begin(), kept->second.end()));
  EXPECT_NE(launch.memory[0].after, launch.memory[0].before);
}

// exec keeps the number of the process, and the driver of the new program counts its launches from 1.
TEST_F(RecordingFiles, LaunchesBehindAnExecAreNotTakenForThoseBeforeIt) {
  const std::vector<std::byte> memory = pattern(1000, 5);
  write_process({}, 0);
  write_process(memory, 2);
  write_process(pattern(1000, 77), 5, limit, *parse_selection("1-100"));
  const Result<Recording> read = read_recording(join());
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_THAT(read->launches, SizeIs(7));
  // By the clock, which is the same for both here, they take turns.
  for (size_t i = 0; i < 7; ++i) EXPECT_EQ(read->launches[i]->launch != nullptr, i == 0 || i == 2) << i;
  ASSERT_NE(read->launches[0]->launch, nullptr);
  const auto kept = read->data.find(read->launches[0]->launch->memory[0].before);
  ASSERT_NE(kept, read->data.end());
  EXPECT_TRUE(std::equal(memory.begin(), memory.end(), kept->second.begin(), kept->second.end()));
}

// As on a full disk, which takes names and no bytes.
TEST_F(RecordingFiles, WhatCouldNotBeWrittenDownIsSaid) {
  const std::string own = std::to_string(getpid());
  for (const auto& [name, ending] : {std::pair{"journals", ".journal"}, std::pair{"launches", ".launches"}}) {
    write_process(pattern(100'000, 5), 3);
    EXPECT_FALSE(has_lost(folder(name)));
    EXPECT_FALSE(read_recording(join())->cut);
    fs::remove(fs::path(folder(name)) / (own + ending));
    fs::create_symlink("/dev/full", fs::path(folder(name)) / (own + ending));
    write_process(pattern(100'000, 5), 3);
    EXPECT_TRUE(has_lost(folder(name))) << name;
    fs::remove(fs::path(folder(name)) / (own + ending));
    EXPECT_TRUE(read_recording(join())->cut) << name;
    for (const char* each : {"journals", "launches"}) {
      fs::remove_all(folder(each));
      fs::create_directories(folder(each));
    }
  }
}

TEST_F(RecordingFiles, EqualMemoryIsKeptOnceAndZerosNotAtAll) {
  write_process(pattern(100'000, 5), 3);
  EXPECT_LT(fs::file_size(join()), 120'000u);
  fs::remove_all(folder("launches"));
  fs::create_directories(folder("launches"));
  write_process(std::vector<std::byte>(1'000'000), 3);
  EXPECT_LT(fs::file_size(join()), 10'000u);
}

// A launch like one before it is written as what differs, and read as a whole one.
TEST_F(RecordingFiles, LaunchesThatAreAlikeAreReadAsIfEachWereWrittenInFull) {
  Journal journal(folder("journals"), "rtx_3060", "NVIDIA GeForce RTX 3060", "modelled");
  Recorder recorder(folder("launches"), *parse_selection("1-100"), limit);
  std::vector<std::byte> big = pattern(300, 1), zeros(40);
  const auto text = std::make_shared<std::string>(".version 7.0 // a");
  const auto launch = [&](uint64_t number, const char* kernel, unsigned seed, uint32_t blocks, bool fault) {
    const std::vector<std::byte> parameter = pattern(8, seed), other = pattern(4, seed + 1);
    LaunchRecording note;
    note.number = number;
    note.kernel = note.entry = kernel;
    note.ptx = *text;
    note.ptx_owner = text;
    note.grid = {blocks, 1, 1};
    note.block = {64, 1, 1};
    note.parameters = {{false, parameter}, {true, other}};
    note.memory = {{"array 1", "device", "", 0x1000, big}, {"c", "variable", "c", 0x2000, zeros}};
    recorder.note(note);
    big[0] ^= std::byte{3};
    recorder.note_end(note.memory, fault);
    journal.launch(
        {.kernel = kernel, .grid = note.grid, .block = note.block, .at_us = 10.0 * double(number)});
  };
  launch(1, "add", 3, 1, false);
  launch(2, "add", 9, 2, false);
  zeros[7] = std::byte{7};
  launch(3, "other", 9, 2, false);
  launch(4, "add", 3, 1, true);
  zeros.push_back(std::byte{1});  // another size: written in full again
  launch(5, "add", 3, 1, false);
  const auto size = fs::file_size(fs::path(folder("launches")) / (std::to_string(getpid()) + ".launches"));
  for (uint64_t i = 6; i <= 26; ++i) launch(i, "add", 3, 1, false);
  EXPECT_LT(fs::file_size(fs::path(folder("launches")) / (std::to_string(getpid()) + ".launches")) - size,
            20u * 500);
  const Result<Recording> read = read_recording(join());
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->cut);
  ASSERT_THAT(read->launches, SizeIs(26));
  const auto at = [&](size_t i) { return *read->launches[i]->launch; };
  for (size_t i = 0; i < 26; ++i) {
    ASSERT_NE(read->launches[i]->launch, nullptr) << i;
    EXPECT_EQ(at(i).entry, i == 2 ? "other" : "add");
    EXPECT_EQ(at(i).fault, i == 3);
    ASSERT_THAT(at(i).memory, SizeIs(2));
    ASSERT_THAT(at(i).parameters, SizeIs(2));
    EXPECT_EQ(at(i).parameters[0].bytes, pattern(8, i == 1 || i == 2 ? 9 : 3)) << i;
    EXPECT_EQ(at(i).parameters[1].bytes, pattern(4, i == 1 || i == 2 ? 10 : 4)) << i;
    EXPECT_TRUE(at(i).parameters[1].floating);
    EXPECT_EQ(at(i).grid.x, i == 1 || i == 2 ? 2u : 1u);
    // The array changes with each launch, the variable does not.
    EXPECT_NE(at(i).memory[0].before, at(i).memory[0].after);
    EXPECT_EQ(at(i).memory[1].before, at(i).memory[1].after);
    if (i > 0) {
      EXPECT_EQ(at(i).memory[0].before, at(i - 1).memory[0].after);
    }
    EXPECT_EQ(at(i).memory[1].before.empty(), i < 2);
    EXPECT_EQ(at(i).memory[1].bytes, i < 4 ? 40u : 41u);
  }
  EXPECT_EQ(read->data.at(at(0).memory[0].before)[0], pattern(300, 1)[0]);
}

TEST_F(RecordingFiles, ALaunchThatIsLikeOneThatIsNotThereIsLeftOut) {
  Journal journal(folder("journals"), "rtx_3060", "NVIDIA GeForce RTX 3060", "modelled");
  journal.launch({.kernel = "add", .grid = {1, 1, 1}, .block = {1, 1, 1}, .at_us = 10});
  const std::string path = join();
  const auto with = [&](const std::string& head) {
    const Result<std::vector<std::byte>> bytes = read_bytes(path, limit);
    std::byte header[chunk_header_bytes];
    write_chunk_header(ChunkKind::launch, head.size(), 0, header);
    auto all = std::make_shared<std::vector<std::byte>>(*bytes);
    all->insert(all->end(), std::begin(header), std::end(header));
    const auto text = std::as_bytes(std::span(head));
    all->insert(all->end(), text.begin(), text.end());
    return parse_recording(all, path);
  };
  const std::string of = R"({"process":)" + std::to_string(getpid()) + R"(,"number":1,"like":)";
  for (const char* like : {"7}", "1}", "18446744073709551615}"}) {
    const auto read = with(of + like);
    ASSERT_TRUE(read);
    EXPECT_TRUE(read->cut) << like;
    EXPECT_EQ(read->launches.at(0)->launch, nullptr) << like;
  }
}

TEST_F(RecordingFiles, ALimitIsKeptAndSaid) {
  write_process(pattern(100'000, 5), 3, 50'000);
  const Result<Recording> read = read_recording(join());
  ASSERT_TRUE(read);
  EXPECT_TRUE(read->cut);
  ASSERT_THAT(read->launches, SizeIs(3));
  ASSERT_NE(read->launches[0]->launch, nullptr);
  EXPECT_THAT(read->launches[0]->launch->lacking, HasSubstr("limit"));
  // The limit holds for all processes together too.
  fs::remove_all(folder("launches"));
  fs::create_directories(folder("launches"));
  write_process(pattern(100'000, 5), 3);
  const std::string path = join(60'000);
  EXPECT_FALSE(m_whole);
  EXPECT_LT(fs::file_size(path), 61'000u);
  EXPECT_TRUE(read_recording(path)->cut);
}

TEST_F(RecordingFiles, IsReadableUpToWhereItWasCut) {
  write_process(pattern(600, 5), 4);
  const Result<std::vector<std::byte>> whole = read_bytes(join(), limit);
  ASSERT_TRUE(whole);
  for (size_t size = 0; size < whole->size(); size += 7) {
    const auto part = std::make_shared<const std::vector<std::byte>>(
        whole->begin(), whole->begin() + static_cast<ptrdiff_t>(size));
    const Result<Recording> read = parse_recording(part, "part.warplens");
    EXPECT_EQ(bool(read), size >= magic.size()) << size;
    if (read) recording_json(*read, {28, {}});
  }
}

TEST_F(RecordingFiles, ALaterVersionAndOtherFilesAreRefusedWithASentence) {
  const auto parse = [](std::string_view text) {
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    const auto read = parse_recording(
        std::make_shared<const std::vector<std::byte>>(bytes, bytes + text.size()), "x.warplens");
    return read ? std::string("read") : read.error().message;
  };
  EXPECT_THAT(parse("WarpLens recording 2\nwhatever"), HasSubstr("later version"));
  EXPECT_THAT(parse("{}"), HasSubstr("x.warplens: this is no recording"));
  EXPECT_THAT(parse(""), HasSubstr("this is no recording"));
  EXPECT_EQ(parse("WarpLens recording 1\n"), "read");
}

TEST_F(RecordingFiles, KindsOfLaterVersionsArePassedOver) {
  write_process(pattern(100, 5), 1);
  const std::string path = join();
  std::byte header[chunk_header_bytes];
  write_chunk_header(static_cast<ChunkKind>(0x57454e00), 2, 3, header);
  std::ofstream file(path, std::ios::binary | std::ios::app);
  file.write(reinterpret_cast<const char*>(header), sizeof header);
  file << "{}abc";
  file.close();
  const Result<Recording> read = read_recording(path);
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->cut);
  EXPECT_THAT(read->launches, SizeIs(1));
}

TEST_F(RecordingFiles, TheListOfEventsIsJson) {
  write_process(pattern(100, 5), 4);
  const Json report = Json::parse(recording_json(*read_recording(join()), {28, {}}));
  EXPECT_EQ(report["schema"], 1);
  EXPECT_EQ(report["events"].size(), 5u);
  EXPECT_EQ(report["events"][1]["kernel"], "add");
  EXPECT_EQ(report["events"][1]["recorded"], true);
  EXPECT_EQ(report["events"][4]["recorded"], false);
  EXPECT_EQ(report["events"][1]["device_us"], 2.5);
}

TEST_F(RecordingFiles, ThereIsNoFileWhereItCannotBeWritten) {
  write_process(pattern(100, 5), 1);
  const std::string path = folder("not there") + "/made.warplens";
  EXPECT_FALSE(join_recording(folder("journals"), folder("launches"), {}, limit, path));
  EXPECT_FALSE(fs::exists(path));
}

TEST(RecordingSelection, IsAListOfNumbersAndRanges) {
  const auto ranges = [](const char* text) { return parse_selection(text).value_or(Selection{}).ranges; };
  EXPECT_THAT(ranges("3"), ElementsAre(std::pair<uint64_t, uint64_t>(3, 3)));
  EXPECT_THAT(ranges("1-10,25"), SizeIs(2));
  for (const char* wrong : {"", "0", "-", "3-", "-3", "5-2", "1,,2", "a", "1-2-3", "99999999999999999999"})
    EXPECT_FALSE(parse_selection(wrong)) << wrong;
  EXPECT_TRUE(parse_selection("2-3")->takes(2, 77));
  EXPECT_FALSE(parse_selection("2-3")->takes(4, 1));
  EXPECT_TRUE(Selection{}.takes(1000, 3));
  EXPECT_FALSE(Selection{}.takes(1000, 4));
}

TEST(RecordingContent, NamesTellContentsApart) {
  const std::vector<std::byte> some = pattern(100, 1);
  std::vector<std::byte> others = some;
  for (size_t i = 0; i < some.size(); ++i) {
    others[i] ^= std::byte{0x10};
    EXPECT_NE(name_of(some), name_of(others)) << i;
    EXPECT_NE(name_of(std::span(some).first(i)), name_of(some)) << i;
    others[i] = some[i];
  }
  EXPECT_EQ(name_of(some), name_of(others));
  EXPECT_THAT(content_of(std::vector<std::byte>(1000)).bytes, IsEmpty());
  EXPECT_EQ(*bytes_of_hex(hex_of(some)), some);
  EXPECT_FALSE(bytes_of_hex("abc"));
  EXPECT_FALSE(bytes_of_hex("zz"));
}

}  // namespace THIS_FILE
}  // namespace warplens::recording
