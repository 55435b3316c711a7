// Pictures go to the clipboard by the desktop's helper, here a script under its name.
#include "core/system/picture_clipboard.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "core/base/system/files.h"
#include "tests/environment.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

class PictureClipboard : public testing::Test {
 protected:
  PictureClipboard()
      : folder(fs::temp_directory_path() / ("warplens_clipboard_" + std::to_string(::getpid()))) {
    fs::create_directories(folder);
    EXPECT_TRUE(write_text((folder / "one.png").string(), "the picture"));
  }
  ~PictureClipboard() override { fs::remove_all(folder); }
  void add(const std::string& name, const std::string& script) const {
    const fs::path path = folder / name;
    EXPECT_TRUE(write_text(path.string(), "#!/bin/sh\n" + script));
    fs::permissions(path, fs::perms::owner_all);
  }
  Result<void> copy() const { return copy_png((folder / "one.png").string()); }

  fs::path folder;
  ScopedEnvironment path{"PATH", (folder.string() + ":/bin").c_str()};
};

TEST_F(PictureClipboard, WaylandComesFirstAndReadsTheFile) {
  const ScopedEnvironment wayland("WAYLAND_DISPLAY", "wayland-0"), x11("DISPLAY", ":0");
  const ScopedEnvironment to("TO", (folder / "copied").string().c_str());
  add("wl-copy", "[ \"$*\" = '--type image/png' ] && cat > \"$TO\"\n");
  ASSERT_TRUE(copy());
  EXPECT_EQ(read_text((folder / "copied").string(), 100).value(), "the picture");
}

TEST_F(PictureClipboard, X11GetsTheFilesName) {
  const ScopedEnvironment wayland("WAYLAND_DISPLAY", nullptr), x11("DISPLAY", ":0");
  const ScopedEnvironment to("TO", (folder / "copied").string().c_str());
  // Like the real one, it continues in the background and provides the pictures that other programs request.
  add("xclip", "for last; do :; done; cat \"$last\" > \"$TO\"; sleep 3 &\n");
  ASSERT_TRUE(copy());
  EXPECT_EQ(read_text((folder / "copied").string(), 100).value(), "the picture");
}

TEST_F(PictureClipboard, WhatIsMissingIsSaid) {
  const ScopedEnvironment wayland("WAYLAND_DISPLAY", nullptr);
  {
    const ScopedEnvironment x11("DISPLAY", ":0"), nothing("PATH", folder.string().c_str());
    const Result<void> copied = copy();
    ASSERT_FALSE(copied);
    EXPECT_EQ(copied.error().kind, ErrorKind::missing);
    EXPECT_NE(copied.error().message.find("apt-get install xclip"), std::string::npos)
        << copied.error().message;
    add("xclip", "exit 3\n");
    EXPECT_NE(copy().error().message.find("status 3"), std::string::npos);
  }
  const ScopedEnvironment x11("DISPLAY", nullptr);
  EXPECT_NE(copy().error().message.find("no desktop"), std::string::npos);
}

}  // namespace THIS_FILE
}  // namespace warplens
