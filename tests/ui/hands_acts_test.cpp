// Two hundred acts at random, with real keys and clicks, and then the end that kill -9 makes: what was typed
// and answered is there at the next start.
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <random>

#include "app/state/files/drafts.h"
#include "core/base/system/files.h"
#include "core/lesson/play/step_progress_json.h"
#include "tests/ui/hands.h"
#include "tests/ui/learn_player.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

using Work = std::map<std::string, std::string>;

// All that was typed and answered, by where.
Work work_in(const DraftsState& drafts) {
  Work work;
  for (const auto& [key, code] : drafts.codes) work["code " + key] = code.text;
  for (const auto& [key, text] : drafts.earlier) work["before reset " + key] = text;
  for (const auto& [name, lesson] : drafts.lessons)
    for (const auto& [id, step] : lesson.steps) {
      const std::string where = name + " " + id;
      if (lesson::is_begun(step.progress)) work[where] = lesson::step_progress_json(step.progress).dump();
      if (step.left && step.left->session.has_code_text) work[where + " code"] = step.left->session.code_text;
    }
  return work;
}

Work work_in(const std::string& drafts) {
  const auto read = parse_drafts(drafts, "drafts-1.json");
  return read ? work_in(read->offer.drafts) : Work{};
}

Work work_of(Driver& d) { return work_in(drafts_text(d.state(), false)); }

// The words of xdotool for one act of a person.
std::vector<std::string> act(std::mt19937& chance, uint32_t width, uint32_t height) {
  static constexpr std::array keys = {
      "Return", "BackSpace", "Delete", "Tab",    "shift+Tab", "Escape",  "Left",      "Right",
      "Up",     "Down",      "Home",   "End",    "ctrl+z",    "Page_Up", "Page_Down", "ctrl+a",
      "ctrl+e", "F11",       "F2",     "ctrl+p", "ctrl+1",    "ctrl+7",  "alt+Down",  "ctrl+Return"};
  static const std::string letters = "abcdefghijklmnopqrstuvwxyzBRNHSX0123456789()[]{};,.=+*/&| ";
  const uint32_t kind = chance() % 10;
  if (kind < 4) {
    std::string text(1 + chance() % 12, ' ');
    for (char& c : text) c = letters[chance() % letters.size()];
    return {"type", "--delay", "2", "--args", "1", text};
  }
  if (kind < 6) return {"key", keys[chance() % keys.size()]};
  return {"mousemove", std::to_string(chance() % width), std::to_string(chance() % height), "click", "1"};
}

void do_acts(Hands& hands, uint32_t seed, int count) {
  constexpr int at_once = 10;
  std::mt19937 chance(seed);
  for (int i = 0; i < count; i += at_once) {
    std::vector<std::string> words;
    for (int k = 0; k < at_once; ++k) {
      for (std::string& word : act(chance, 1280, 720)) words.push_back(std::move(word));
      words.insert(words.end(), {"sleep", "0.02"});
    }
    hands.run(std::move(words));
  }
}

class HandsActs : public WindowTest {
 protected:
  HandsActs()
      : before(fs::current_path()),
        folder(fs::temp_directory_path() / ("warplens_acts_" + std::to_string(::getpid()))) {
    for (const char* part : {"config", "after", "saved"}) fs::create_directories(folder / part);
    fs::current_path(folder / "saved");  // for a file that is saved by chance
  }
  ~HandsActs() override {
    fs::current_path(before);
    fs::remove_all(folder);
  }

  void act_and_start_again(uint32_t seed, const std::function<void(Driver&)>& begin) {
    SCOPED_TRACE(fmt::format("seed {}", seed));
    Work work;
    drive(
        [&](Driver& d) {
          ASSERT_TRUE(d.wait_for_result());
          d.shell.fetch_card().offered = true;  // nothing is downloaded
          d.shell.actions().push(ShowWelcome{false});
          begin(d);
          Hands hands(d);
          do_acts(hands, seed, 200);
          ASSERT_TRUE(d.wait_for_result());
          work = work_of(d);
          const std::string kept = (folder / "config/drafts-1.json").string();
          const bool is_kept = d.wait_until(
              [&] {
                const Result<std::string> text = read_text(kept, max_drafts_bytes);
                return text && work_in(*text) == work;
              },
              10);
          EXPECT_TRUE(is_kept) << "what was typed is on disk soon after the last act";
          // What is on disk now is what kill -9 leaves.
          fs::copy(folder / "config", folder / "after",
                   fs::copy_options::recursive | fs::copy_options::overwrite_existing);
        },
        small_window(), make_worker_calls(), folder / "config");
    EXPECT_FALSE(work.empty()) << "two hundred acts typed nothing";
    drive(
        [&](Driver& d) {
          ASSERT_TRUE(d.wait_for_result());
          EXPECT_EQ(work_of(d), work);
        },
        small_window(), make_worker_calls(), folder / "after");
  }

  fs::path before, folder;
};

// WARPLENS_ACTS=20 goes through twenty sequences from each place.
uint32_t sequences() {
  const char* asked = std::getenv("WARPLENS_ACTS");
  return asked == nullptr ? 1 : static_cast<uint32_t>(std::max(1, std::atoi(asked)));
}

TEST_F(HandsActs, InALessonAreKeptWhateverEndsTheProgram) {
  for (uint32_t seed = 1; seed <= sequences(); ++seed)
    act_and_start_again(seed, [](Driver& d) { open_step(d, "who_am_i", "repair"); });
}

TEST_F(HandsActs, InAChallengeAreKeptWhateverEndsTheProgram) {
  for (uint32_t seed = 1; seed <= sequences(); ++seed)
    act_and_start_again(seed, [](Driver& d) {
      d.shell.actions().push(OpenChallenge{"bounds_check"});
      ASSERT_TRUE(d.wait_until([&] { return d.state().challenge.judged != nullptr; }, 60));
      ASSERT_TRUE(d.wait_for_result());
    });
}

}  // namespace THIS_FILE
}  // namespace warplens
