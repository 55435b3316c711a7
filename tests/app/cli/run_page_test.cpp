#include "app/cli/run/run_page.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "app/base/draw/save_picture.h"

namespace warplens {
namespace THIS_FILE {

using testing::HasSubstr;
using testing::Not;

std::string page_of_text(std::string_view title, std::string_view report) {
  const Result<std::string> page = run_page(title, report, {});
  EXPECT_TRUE(page) << page.error().message;
  return page ? *page : "";
}

TEST(RunPage, SectionsOfTheReportAreHeadings) {
  const std::string page = page_of_text("scale", "scale on a GPU\nIt ran.\n\nCounts\n  loads  32\n");
  EXPECT_THAT(page, HasSubstr("<h1>scale</h1>"));
  EXPECT_THAT(page, HasSubstr("<pre>scale on a GPU\nIt ran.\n</pre>"));
  EXPECT_THAT(page, HasSubstr("<h2>Counts</h2>\n<pre>  loads  32\n</pre>"));
}

TEST(RunPage, NamesAreWordsWhateverTheyHold) {
  const std::string page =
      page_of_text("<script>alert(1)</script>", "a\n\n<img src=x onerror=\"run()\">\n &amp;\n");
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_THAT(page, Not(HasSubstr("<img")));
  EXPECT_THAT(page, HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"));
  EXPECT_THAT(page, HasSubstr("&amp;amp;"));
}

// A page has as many tags and quotes with any name as with a plain one.
TEST(RunPage, NoNameOfRandomBytesOpensATag) {
  std::mt19937 random(1);
  const auto count = [](const std::string& text, char one) { return std::ranges::count(text, one); };
  const std::string plain = page_of_text("name", "first\n\nHeading name\n  name\n");
  constexpr std::string_view signs = "<>&\"'/=!-- \n\t";
  for (int i = 0; i < 2000; ++i) {
    std::string name;
    for (uint32_t k = random() % 40; k > 0; --k)
      name += random() % 2 == 0 ? signs[random() % signs.size()] : static_cast<char>(random() % 256);
    std::string one_line = name;
    std::ranges::replace(one_line, '\n', ' ');
    const std::string page = page_of_text(name, "first\n\nHeading " + one_line + "\n  " + one_line + "\n");
    for (const char sign : {'<', '>', '"'}) ASSERT_EQ(count(page, sign), count(plain, sign)) << name;
  }
}

TEST(RunPage, APictureIsPartOfTheFile) {
  if (!draws_into_files()) GTEST_SKIP() << "this build draws no pictures into files";
  RenderChoice choice;
  const Picture picture = framed_picture(choice, "a \"name\" <b>", "a device",
                                         [](Picture&, const Style&, Box box) { return box.bottom(); });
  const Result<std::string> page = run_page("run", "It ran.\n", {{"grid", picture}});
  ASSERT_TRUE(page) << page.error().message;
  const size_t at = page->find("src=\"data:image/svg+xml,%3C");
  ASSERT_NE(at, std::string::npos);
  const std::string address = page->substr(at + 5, page->find('"', at + 5) - at - 5);
  EXPECT_EQ(address.find_first_of("<>#&'\n"), std::string::npos);
  EXPECT_GT(address.size(), 200u);
  EXPECT_THAT(*page, Not(HasSubstr("src=\"http")));
}

}  // namespace THIS_FILE
}  // namespace warplens
