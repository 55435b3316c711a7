#include "app/state/files/session.h"

#include <gtest/gtest.h>

#include "app/state/update.h"

namespace warplens {
namespace THIS_FILE {

std::shared_ptr<const Session> shared(Session session) {
  return std::make_shared<const Session>(std::move(session));
}

TEST(SessionState, GoesThroughAFileAndBack) {
  AppState state = *initial_state("vector_add", "");
  update(state, SetValue{"n", 1000});
  update(state, SetBlock{{64, 1, 1}});
  update(state, SetSeed{9});
  update(state, Pin{{Dim3{3, 0, 0}, Dim3{5, 0, 0}, std::nullopt, 6}});
  update(state, ShowView{View::occupancy});
  const std::string text = session_text(session_of(state));
  const auto session = parse_session(text, "s.json", "");
  ASSERT_TRUE(session) << session.error().message;
  AppState other = *initial_state("grayscale", "");
  update(other, SessionLoaded{shared(*session), "/tmp/s.json"});
  EXPECT_EQ(other.setup.kernel->name, "vector_add");
  EXPECT_EQ(other.setup.launch.values.at("n"), 1000);
  EXPECT_EQ(other.setup.launch.block, (Dim3{64, 1, 1}));
  EXPECT_EQ(other.setup.launch.data_seed, 9u);
  EXPECT_EQ(other.selection.pinned, state.selection.pinned);
  EXPECT_EQ(other.frame.view, View::occupancy);
  EXPECT_EQ(other.files.recent.at(0), "/tmp/s.json");
  EXPECT_NE(other.runs.now.wanted, 0u) << "it runs";
  EXPECT_EQ(session_text(session_of(other)), text);
  update(other, Undo{});
  EXPECT_EQ(other.setup.kernel->name, "grayscale") << "nothing is lost";
}

TEST(SessionState, ABadOneChangesNothing) {
  AppState state = *initial_state("grayscale", "");
  Session session = session_of(state);
  session.kernel = "no_such_kernel";
  update(state, SessionLoaded{shared(session), ""});
  EXPECT_EQ(state.setup.kernel->name, "grayscale");
  EXPECT_EQ(state.problems.notices.size(), 1u);
  session.kernel = "vector_add";
  session.device = "voodoo";
  update(state, SessionLoaded{shared(session), ""});
  EXPECT_EQ(state.setup.kernel->name, "grayscale");
  EXPECT_NE(state.problems.notices.at(0).message.find("voodoo"), std::string::npos);
}

TEST(SessionState, ValuesThatAKernelNoLongerHasAreNamed) {
  AppState state = *initial_state("vector_add", "");
  Session session = session_of(state);
  session.setup.values = {{"n", 50}, {"gone", 1}};
  update(state, SessionLoaded{shared(session), ""});
  EXPECT_EQ(state.setup.launch.values.size(), 1u);
  EXPECT_TRUE(state.setup.outlook.error.empty()) << state.setup.outlook.error;
  EXPECT_NE(state.problems.notices.at(0).message.find("gone"), std::string::npos);
}

TEST(SessionState, CodeIsCompiledFirst) {
  AppState state = *initial_state("vector_add", "");
  Session session = session_of(state);
  session.kernel.clear();
  session.code_name = "mine.cu";
  session.code_text = "text";
  session.has_code_text = true;
  update(state, SessionLoaded{shared(session), ""});
  EXPECT_EQ(state.code.text, "text");
  EXPECT_NE(state.code.wanted, 0u);
  EXPECT_EQ(session_of(state).code_text, "text") << "also while it is being compiled";
}

TEST(SessionState, RecentFilesAreFewAndEachOnce) {
  AppState state = *initial_state("vector_add", "");
  for (int i = 0; i < 30; ++i) remember_file(state.files, "/f" + std::to_string(i % 15));
  EXPECT_EQ(state.files.recent.size(), max_recent);
  EXPECT_EQ(state.files.recent.front(), "/f14");
  remember_file(state.files, "/f10");
  EXPECT_EQ(state.files.recent.front(), "/f10");
  EXPECT_EQ(state.files.recent.size(), max_recent);
}

TEST(SessionState, RecentPicturesAreThoseOfTheRecentFiles) {
  AppState state = *initial_state("vector_add", "");
  for (const char* path : {"/a/cat.png", "/a/blur.cu", "/a/run.warplens", "/b/Dog.JPG", "/a/s.json"})
    remember_file(state.files, path);
  EXPECT_EQ(recent_pictures(state.files), (std::vector<std::string>{"/b/Dog.JPG", "/a/cat.png"}));
}

TEST(PresentMode, TheTimerCountsFromItsStartOrFromAClick) {
  AppState state = *initial_state("vector_add", "");
  update(state, Tick{100, 60});
  update(state, Present{true});
  EXPECT_EQ(state.frame.presenting_since_s, 100);
  update(state, Tick{160, 60});
  update(state, Present{true});
  EXPECT_EQ(state.frame.presenting_since_s, 100) << "it was on already";
  update(state, RestartTimer{});
  EXPECT_EQ(state.frame.presenting_since_s, 160);
}

TEST(PresentMode, LeavesByEscAndBlanksOnlyThere) {
  AppState state = *initial_state("vector_add", "");
  update(state, OpenLesson{"who_am_i"});
  update(state, Blank{true});
  EXPECT_FALSE(state.frame.blank);
  update(state, CloseLesson{});
  update(state, Present{true});
  update(state, Blank{true});
  EXPECT_TRUE(state.frame.blank);
  update(state, Unpin{});
  EXPECT_FALSE(state.frame.blank);
  EXPECT_TRUE(state.frame.present) << "one thing at a time";
  update(state, Unpin{});
  EXPECT_FALSE(state.frame.present);
}

TEST(SessionState, OfARealGpuBeginsOnAVirtualOne) {
  AppState state = *initial_state("vector_add", "");
  Device device = state.setup.device;
  device.id = "cuda:0";
  device.is_virtual = false;
  Session session = session_of(state);
  session.device = device.id;
  for (const bool found_first : {true, false}) {
    AppState other = *initial_state("vector_add", "");
    if (found_first) update(other, GpusFound{{{device}, ""}});
    update(other, SessionLoaded{shared(session), ""});
    if (!found_first) update(other, GpusFound{{{device}, ""}});
    EXPECT_TRUE(other.setup.device.is_virtual) << "the first picture waits for no driver";
    update(other,
           RunFinished{other.runs.now.wanted, other.setup.launch, std::make_shared<const RunResult>(), ""});
    EXPECT_EQ(other.setup.device.id, "cuda:0");
    update(other, ChooseDevice{state.setup.device.id});
    update(other, SessionLoaded{shared(session), ""});
    EXPECT_EQ(other.setup.device.id, "cuda:0") << "and at once where there is a picture";
  }
}

}  // namespace THIS_FILE
}  // namespace warplens
