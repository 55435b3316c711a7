// The offer of a compiler where there is none. The script that fetches is the test's own: no network.
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "core/base/system/files.h"
#include "tests/environment.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

// Tells megabytes until the file `go` is there; ended from outside, it removes what it began, as fetch.py
// does.
constexpr const char* slow_script = R"(
import pathlib, signal, sys, time
folder, name = pathlib.Path(sys.argv[1]), sys.argv[2]
begun = folder / ("begun-" + name)
begun.touch()
def end(*_):
    begun.unlink()
    sys.exit(1)
signal.signal(signal.SIGTERM, end)
if (folder / "fails").exists():
    begun.unlink()
    print("something before it", file=sys.stderr)
    sys.exit("the files could not be downloaded; try again once this machine is online")
print("83 of 200", flush=True)
while not (folder / "go").exists():
    time.sleep(0.02)
begun.rename(folder / ("fetched-" + name))
)";

class Fetch : public WindowTest {
 protected:
  Fetch() : folder(fs::temp_directory_path() / ("warplens_fetch_" + std::to_string(::getpid()))) {
    fs::create_directories(folder);
    (void)write_text((folder / "script.py").string(), slow_script);
  }
  ~Fetch() override { fs::remove_all(folder); }

  // As on a machine without a compiler, before the user has been asked.
  void offer(Driver& d) {
    FetchCardState& card = d.shell.fetch_card();
    card.fetcher.reset();
    card.tools.missing_parts = [] {
      auto parts = fetch_parts("/nowhere");
      const auto wanted = [](const FetchPart& part) { return part.name == "cuda" || part.name == "ptxas13"; };
      if (parts) std::erase_if(*parts, std::not_fn(wanted));
      return parts;
    };
    card.tools.fetch = [this](const FetchPart& part, const auto& told, std::stop_token stop) {
      return run_fetch({"python3", folder / "script.py", folder, part.name}, told, std::move(stop));
    };
    card.offered = false;
    ASSERT_TRUE(wait_for(d, FetchPhase::found));
  }
  static FetchPhase phase(Driver& d) {
    return d.shell.fetch_card().fetcher ? d.shell.fetch_card().fetcher->status().phase : FetchPhase::rest;
  }
  static bool wait_for(Driver& d, FetchPhase wanted) {
    const bool there = d.wait_until([&] { return phase(d) == wanted; });
    d.ui->Yield(3);
    return there;
  }
  static void press(Driver& d, const char* chip) {
    d.ui->ItemClick((std::string("//##fetch/") + chip).c_str());
    d.ui->Yield(3);
  }
  bool has(const char* name) const { return fs::exists(folder / name); }

  static constexpr const char* agree = "Agree and fetch 247 MB";
  fs::path folder;
};

TEST_F(Fetch, NothingComesBeforeSomebodyAgreesAndCancellingLeavesNothing) {
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    offer(d);
    d.screenshots("fetch_offer");
    EXPECT_FALSE(has("begun-cuda"));
    press(d, agree);
    ASSERT_TRUE(d.wait_until([&] { return d.shell.fetch_card().fetcher->status().megabytes == 83; }));
    EXPECT_TRUE(has("begun-cuda"));
    d.screenshots("fetch_progress");
    d.type_number("launch", "block_x", 8);  // the other controls are not blocked
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(phase(d), FetchPhase::fetching);
    press(d, "Cancel");
    ASSERT_TRUE(wait_for(d, FetchPhase::cancelled));
    EXPECT_FALSE(has("begun-cuda")) << "it could clean up";
    d.screenshot("fetch_cancelled_1920x1080");
    press(d, "Close");
    EXPECT_FALSE(d.shell.fetch_card().open);
  });
}

TEST_F(Fetch, AFailureSaysWhyAndGoesOnWhenTriedAgain) {
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    offer(d);
    (void)write_text((folder / "fails").string(), "");
    press(d, agree);
    ASSERT_TRUE(wait_for(d, FetchPhase::failed));
    EXPECT_EQ(d.shell.fetch_card().fetcher->status().why,
              "the files could not be downloaded; try again once this machine is online");
    d.screenshot("fetch_failed_1920x1080");
    fs::remove(folder / "fails");
    (void)write_text((folder / "go").string(), "");
    press(d, "Try again");
    ASSERT_TRUE(wait_for(d, FetchPhase::done));
    EXPECT_TRUE(has("fetched-cuda") && has("fetched-ptxas13"));
    d.screenshot("fetch_done_1920x1080");
    press(d, "Go on");
    EXPECT_FALSE(d.shell.fetch_card().open);
  });
}

TEST_F(Fetch, TheOfferComesOnceByItselfAndAgainWhereACompilerIsNeeded) {
  const fs::path config = folder / "config";
  fs::create_directories(config);
  (void)write_text((config / "window.json").string(), R"({"welcomed": true, "fetch_offered": true})");
  const ScopedEnvironment none("WARPLENS_NVRTC", (folder / "none.so").string().c_str()),
      nor_clang("WARPLENS_CLANG", (folder / "none").string().c_str());
  drive(
      [&](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_EQ(phase(d), FetchPhase::rest) << "it was offered in an earlier start";
        offer(d);
        press(d, "Not now");
        EXPECT_FALSE(d.shell.fetch_card().open);
        d.ui->Yield(10);
        EXPECT_FALSE(d.shell.fetch_card().open);
        d.shell.actions().push(EditCopy{});  // the real message of a compilation
        ASSERT_TRUE(d.wait_until([&] { return d.shell.fetch_card().open; }));
        ASSERT_TRUE(wait_for(d, FetchPhase::found));
        d.screenshot("fetch_code_1920x1080");
      },
      {}, make_worker_calls(), config);
  const Result<std::string> kept = read_text((config / "window.json").string(), 1 << 20);
  ASSERT_TRUE(kept);
  EXPECT_NE(kept->find("\"fetch_offered\": true"), kept->npos) << *kept;
}

}  // namespace THIS_FILE
}  // namespace warplens
