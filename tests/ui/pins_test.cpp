// What a click pins is the same thing after every change.
#include <filesystem>

#include <unistd.h>

#include "app/views/image/picture.h"
#include "app/views/model/raster_buffer.h"
#include "core/image/image.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

class Pins : public WindowTest {};

// A picture of 500 × 333 pixels, all of them different from their neighbours.
std::string photograph() {
  Image image;
  image.width = 500;
  image.height = 333;
  image.channels = 3;
  for (uint32_t y = 0; y < image.height; ++y)
    for (uint32_t x = 0; x < image.width; ++x)
      for (const uint32_t value : {x, y, x + y}) image.pixels.push_back(static_cast<uint8_t>(value % 256));
  const auto path =
      std::filesystem::temp_directory_path() / ("warplens_pins_" + std::to_string(::getpid()) + ".png");
  EXPECT_TRUE(save_image(image, path.string()));
  return path.string();
}

// Where the centre of a pixel is when the Image view shows one whole picture.
ImVec2 place_of_pixel(Driver& d, uint32_t x, uint32_t y) {
  const ImRect canvas = d.ui->ItemInfo("//###image/##picture").RectFull;
  const MapFrame frame = frame_of(
      500, 333, {canvas.Min.x, canvas.Min.y, canvas.GetWidth(), canvas.GetHeight()}, {}, largest_pixel);
  const Point at = frame.box_of({x, y}).centre();
  return {at.x, at.y};
}

TEST_F(Pins, APixelKeepsItsPlaceAndNamesItsNewWriter) {
  const std::string path = photograph();
  drive([&](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("grayscale");
    d.shell.actions().push(ChoosePicture{path});
    d.shell.actions().push(ShowView{View::image});
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(d.wait_until([&] { return d.state().runs.result->request->buffers[0].width == 500; }));
    d.shell.actions().push(SetBlock{{16, 16, 1}});
    ASSERT_TRUE(d.wait_for_result());
    d.ui->ItemClick("//###image/mode:result");
    d.ui->Yield(4);
    d.ui->MouseMoveToPos(place_of_pixel(d, 317, 218));
    d.ui->MouseClick();
    d.ui->Yield(4);
    const Selection& selection = d.state().selection;
    ASSERT_TRUE(selection.pinned.element);
    EXPECT_EQ(selection.pinned.element->index, 218u * 500 + 317);
    EXPECT_EQ(selection.pinned.block, (Dim3{19, 13, 0}));
    d.shell.actions().push(SetBlock{{7, 7, 1}});
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(selection.pinned.element->index, 218u * 500 + 317);
    EXPECT_EQ(selection.pinned.block, (Dim3{45, 31, 0}));
    EXPECT_EQ(selection.pinned.thread, (Dim3{2, 1, 0}));
    ASSERT_TRUE(d.wait_until([&] { return d.state().footprint.replayed != nullptr; }));
    EXPECT_EQ(d.state().footprint.replayed->block, (Dim3{45, 31, 0}));
    d.screenshot("pinned_pixel_7x7_1920x1080_dark");
    // Another kernel with the same picture.
    d.choose_kernel("invert");
    ASSERT_TRUE(d.wait_for_result());
    ASSERT_TRUE(selection.pinned.element);
    EXPECT_EQ(selection.pinned.block, (Dim3{19, 13, 0})) << "with its own blocks of 16 × 16";
    d.ui->KeyPress(ImGuiKey_Escape);
    d.ui->Yield(2);
    EXPECT_TRUE(selection.pinned.empty());
  });
  std::filesystem::remove(path);
}

TEST_F(Pins, AThreadThatIsGoneIsLetGoWithAWord) {
  drive([](Driver& d) {
    ASSERT_TRUE(d.wait_for_result());
    d.choose_kernel("grayscale");
    d.shell.actions().push(ShowView{View::grid});
    ASSERT_TRUE(d.wait_for_result());
    d.shell.actions().push(Pin{{Dim3{3, 2, 0}, Dim3{12, 7, 0}, std::nullopt}});
    d.shell.actions().push(SetBlock{{8, 8, 1}});
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_FALSE(d.state().selection.pinned.thread);
    EXPECT_NE(d.state().selection.lost.find("Thread (12, 7, 0)"), std::string::npos);
    d.screenshot("pinned_thread_gone_1920x1080_dark");
    d.shell.actions().push(SetBlock{{16, 16, 1}});
    ASSERT_TRUE(d.wait_for_result());
    EXPECT_EQ(d.state().selection.pinned.thread, (Dim3{12, 7, 0})) << "there again";
  });
}

}  // namespace THIS_FILE
}  // namespace warplens
