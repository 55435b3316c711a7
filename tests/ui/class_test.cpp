// A class in the window: hand-ins of a folder as a table, with made-up names and with real ones, and the
// page.
#include <unistd.h>

#include <filesystem>

#include "app/classroom/class_report.h"
#include "core/base/system/files.h"
#include "core/lesson/judge/hand_in.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

namespace fs = std::filesystem;

class ClassView : public WindowTest {
 protected:
  ClassView() : m_folder(fs::temp_directory_path() / ("warplens_class_view_" + std::to_string(::getpid()))) {
    fs::create_directories(m_folder);
  }
  ~ClassView() override { fs::remove_all(m_folder); }

  void put(const std::string& name, uint32_t stars) {
    lesson::HandIn hand_in;
    hand_in.challenge = "bounds_check";
    hand_in.source = "// " + name;
    hand_in.name = name;
    hand_in.stars = stars;
    ASSERT_TRUE(write_text((m_folder / (name + ".json")).string(), lesson::hand_in_text(hand_in)));
  }
  static bool opened(Driver& d) {
    return d.wait_until([&] { return !d.state().classroom.working && d.state().classroom.report; }, 20);
  }

  fs::path m_folder;
};

TEST_F(ClassView, HandInsAreATableWithMadeUpNames) {
  for (int i = 0; i < 20; ++i) put("pupil " + std::to_string(i), static_cast<uint32_t>(i % 4));
  ASSERT_TRUE(write_text((m_folder / "broken.json").string(), "{"));
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenClass{m_folder.string()});
    ASSERT_TRUE(opened(d));
    const ClassReport& report = *d.state().classroom.report;
    ASSERT_EQ(report.students.size(), 20u);
    for (const ClassStudent& student : report.students)
      EXPECT_EQ(student.name.find("pupil"), std::string::npos) << student.name;
    EXPECT_EQ(report.said.size(), 1u) << "the file that is no hand-in";
    d.ui->Yield(3);
    d.screenshots("class");
    d.shell.actions().push(OpenClass{m_folder.string(), true});
    ASSERT_TRUE(d.wait_until([&] { return d.state().classroom.names && !d.state().classroom.working; }, 20));
    EXPECT_EQ(d.state().classroom.report->students.front().name, "pupil 0");
    d.shell.actions().push(SaveClassPage{(m_folder / "class.html").string()});
    ASSERT_TRUE(d.wait_until([&] { return fs::exists(m_folder / "class.html"); }, 20));
    const auto page = read_text((m_folder / "class.html").string(), 1 << 20);
    ASSERT_TRUE(page);
    EXPECT_NE(page->find("pupil 7"), std::string::npos);
  });
}

TEST_F(ClassView, AFolderWithoutHandInsSaysSo) {
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(OpenClass{m_folder.string()});
    ASSERT_TRUE(d.wait_until([&] { return !d.state().classroom.error.empty(); }, 20));
    EXPECT_EQ(d.state().classroom.report, nullptr);
    EXPECT_FALSE(d.state().classroom.working);
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
