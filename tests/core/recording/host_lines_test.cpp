// Lines of the host program: in journals, in the list of lines that called, and what is said of arrays at
// them.
#include "core/recording/host_lines.h"

#include <gmock/gmock.h>

#include "core/recording/summary.h"

namespace warplens::recording {
namespace THIS_FILE {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;
using Kind = ProgramWarning::Kind;

std::shared_ptr<const HostPlace> at(uint32_t line, const std::string& file = "/home/me/main.cu") {
  return std::make_shared<const HostPlace>(HostPlace{file, "main", line});
}

// A program event by event.
struct Made {
  Recording recording;
  std::string file = "/home/me/main.cu";

  Event& add(Event::Kind kind, uint32_t line) {
    Event event;
    event.kind = kind;
    event.process = 1;
    if (line != 0) event.place = at(line, file);
    recording.events.push_back(std::move(event));
    return recording.events.back();
  }
  void allocate(uint64_t address, uint64_t bytes, uint32_t line, const char* kind = "device") {
    Event& event = add(Event::Kind::allocate, line);
    event.address = address;
    event.bytes = bytes;
    event.name = kind;
  }
  void free(uint64_t address, uint32_t line) { add(Event::Kind::release, line).address = address; }
  void copy(bool in, uint64_t address, uint64_t bytes, uint32_t line) {
    Event& event = add(Event::Kind::copy, line);
    event.name = in ? "host to device" : "device to host";
    event.address = address;
    event.bytes = bytes;
    event.device_us = 2;
  }
  Event& launch(uint32_t line, const std::string& kernel = "add") {
    Event& event = add(Event::Kind::launch, line);
    event.name = kernel;
    event.number = ++launches;
    event.device_us = 1000;
    return event;
  }
  void end(int status = 0) { add(Event::Kind::end, 0).status = status; }

  // A recording of a program that does all of it.
  void whole() {
    allocate(4096, 4000, 10);
    copy(true, 4096, 4000, 12);
    launch(14);
    copy(false, 4096, 4000, 15);
    free(4096, 16);
    end();
  }
  std::vector<ProgramWarning> warnings() const { return report_of(recording, {}).warnings; }
  std::vector<Kind> kinds() const {
    std::vector<Kind> found;
    for (const ProgramWarning& warning : warnings()) found.push_back(warning.kind);
    return found;
  }
  uint64_t launches = 0;
};

TEST(HostLines, EachLineHasItsCallsAndWhatTheyCost) {
  Made made;
  made.whole();
  made.launch(14, "__main__::scale");
  made.launch(0);  // from a line that is not known
  const std::vector<HostSource> sources = host_sources(made.recording);
  ASSERT_THAT(sources, SizeIs(1));
  EXPECT_EQ(sources[0].file, "/home/me/main.cu");
  ASSERT_THAT(sources[0].lines, SizeIs(5));
  const HostLine& copy = sources[0].lines[1];
  EXPECT_EQ(copy.line, 12u);
  EXPECT_EQ(copy.crossed_bytes, 4000u);
  EXPECT_EQ(copy.device_us, 2.0);
  EXPECT_EQ(calls_text(copy), "1 copy");
  const HostLine& launch = sources[0].lines[2];
  EXPECT_EQ(calls_text(launch), "2 launches of 2 kernels");
  EXPECT_EQ(launch.device_us, 2000.0);
  EXPECT_THAT(launch.events, ElementsAre(2, 6));
}

TEST(HostLines, ATimeThatIsNotKnownMakesTheSumUnknown) {
  Made made;
  made.launch(14);
  made.launch(14).device_us.reset();
  made.launch(14);
  EXPECT_EQ(host_sources(made.recording)[0].lines[0].device_us, std::nullopt);
}

TEST(HostLines, TheFileWithTheMostCallsIsFirst) {
  Made made;
  made.file = "/home/me/a.cu";
  made.launch(1);
  made.file = "/home/me/b.cu";
  made.launch(1);
  made.launch(2);
  const auto sources = host_sources(made.recording);
  ASSERT_THAT(sources, SizeIs(2));
  EXPECT_EQ(sources[0].file, "/home/me/b.cu");
}

TEST(HostLines, WithoutLinesThereIsNothing) {
  Made made;
  made.launch(0);
  EXPECT_THAT(host_sources(made.recording), IsEmpty());
}

TEST(HostLines, AJournalNamesEachPlaceOnceAndAProgramThatReplacesItselfBeginsAgain) {
  JournalPlace reader;
  const auto read = [&](const char* line) { return event_of(*parse_json(line, ""), 1, reader); };
  EXPECT_FALSE(read(R"({"event":"place","number":1,"file":"/a/main.cu","line":25,"function":"main"})"));
  const auto launch = read(R"({"event":"launch","kernel":"add","place":1})");
  ASSERT_TRUE(launch && launch->place);
  EXPECT_EQ(place_text(*launch->place), "main.cu:25");
  EXPECT_EQ(read(R"({"event":"launch","kernel":"add","place":2})")->place, nullptr);
  read(R"({"event":"start","process":1})");
  EXPECT_EQ(read(R"({"event":"launch","kernel":"add","place":1})")->place, nullptr);
}

TEST(ArrayRules, SayNothingOfAProgramThatDoesAllOfIt) {
  Made made;
  made.whole();
  EXPECT_THAT(made.kinds(), IsEmpty());
}

TEST(ArrayRules, ResultsThatNeverCameBack) {
  Made made;
  made.launch(14);
  made.end();
  ASSERT_THAT(made.kinds(), ElementsAre(Kind::never_back));
  EXPECT_THAT(line_of(made.warnings()[0], Provenance::modelled), HasSubstr("(launch 1; main.cu:14)"));
}

TEST(ArrayRules, ResultsMayComeWithoutACopy) {
  Made managed;
  managed.allocate(4096, 4000, 10, "managed");
  managed.launch(14);
  managed.free(4096, 16);
  managed.end();
  EXPECT_THAT(managed.kinds(), IsEmpty());
  Made prints;
  prints.launch(14).prints = true;
  prints.end();
  EXPECT_THAT(prints.kinds(), IsEmpty());
}

TEST(ArrayRules, ElementsWhereBytesWereMeant) {
  Made made;
  made.allocate(4096, 4000, 10);
  made.copy(true, 4096, 1000, 12);
  made.launch(14);
  made.copy(false, 4096, 500, 15);
  made.free(4096, 16);
  made.end();
  ASSERT_THAT(made.kinds(), ElementsAre(Kind::few_bytes));
  EXPECT_THAT(line_of(made.warnings()[0], Provenance::modelled),
              HasSubstr("Of an array of 4,000 bytes only the first 1,000 were copied."));
  EXPECT_THAT(line_of(made.warnings()[0], Provenance::modelled), HasSubstr("main.cu:12"));
}

TEST(ArrayRules, PartsThatFillAnArrayTogetherAreNoMistake) {
  Made made;
  made.allocate(4096, 4000, 10);
  for (uint64_t part = 0; part < 4; ++part) made.copy(true, 4096 + part * 1000, 1000, 12);
  made.launch(14);
  made.copy(false, 4096, 4000, 15);
  made.free(4096, 16);
  made.end();
  EXPECT_THAT(made.kinds(), IsEmpty());
}

TEST(ArrayRules, ArraysThatAreLeft) {
  Made made;
  made.whole();
  made.recording.events.pop_back();
  made.allocate(8192, 100, 20);
  made.allocate(9000, 50, 21);
  made.end();
  ASSERT_THAT(made.kinds(), ElementsAre(Kind::not_freed));
  const ProgramWarning warning = made.warnings()[0];
  EXPECT_EQ(warning.count, 2u);
  EXPECT_EQ(places_text(warning.places), "main.cu:20, main.cu:21");
}

// A program that was stopped could not free its memory, and has already said why it stopped.
TEST(ArrayRules, SayNothingOfProgramsThatFailedOrWereKilled) {
  for (const int how : {0, 1, 2}) {
    Made made;
    made.allocate(8192, 100, 20);
    made.launch(14);
    if (how == 0) made.end(1);
    if (how == 1) {
      Event& fault = made.add(Event::Kind::finding, 14);
      fault.is_fault = true;
      fault.name = "it read past the end";
      made.end();
    }
    EXPECT_THAT(made.kinds(), IsEmpty()) << how;  // 2: no end
  }
}

TEST(ArrayRules, PythonFreesByItself) {
  Made made;
  made.file = "/home/me/main.py";
  made.allocate(8192, 100, 20);
  made.launch(14);
  made.end();
  EXPECT_THAT(made.kinds(), IsEmpty());
}

TEST(ArrayRules, AFileThatIsCutSaysNothingOfArrays) {
  Made made;
  made.allocate(8192, 100, 20);
  made.launch(14);
  made.end();
  Event sum;
  sum.kind = Event::Kind::copy;
  sum.name = "device to host";
  made.recording.sums.push_back(sum);
  EXPECT_THAT(made.kinds(), IsEmpty());
}

TEST(Places, AreNamedOnceAndAreFew) {
  Places places;
  for (uint32_t line = 1; line < 20; ++line) {
    places.add(at(line));
    places.add(at(line));
  }
  places.add(nullptr);
  EXPECT_THAT(places.all(), SizeIs(Places::most));
}

}  // namespace THIS_FILE
}  // namespace warplens::recording
