// Live mode of the Image view: on the virtual GPU, and with an engine that writes into OpenGL's buffers as a
// GPU does.
#include <glad/glad.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <vector>

#include "app/views/image/live_words.h"
#include "core/launch/steps.h"
#include "tests/ui/driver.h"

namespace warplens {
namespace THIS_FILE {

// Writes a frame's picture into the slot's buffer, as a kernel on a real GPU would: red says which frame it
// is.
class SharingFake final : public LiveEngine {
 public:
  struct Log {
    int started = 0, lent = 0, taken = 0, closed = 0;
    bool under_way = false, out_of_memory = false;
    std::string fault;
  };
  explicit SharingFake(Log& log) : m_log(log) {}
  ~SharingFake() override { ++m_log.closed; }

  void lend(OpenGlBuffers buffers) override {
    m_buffers = std::move(buffers);
    ++m_log.lent;
  }
  void take_back() override {
    m_running.clear();
    ++m_log.taken;
  }
  std::optional<FramePath> path() const override { return FramePath{true, "", ""}; }
  Result<bool> start(size_t slot, std::shared_ptr<const LaunchRequest> request) override {
    if (m_log.out_of_memory) throw std::bad_alloc();
    if (!m_log.fault.empty()) return failed(m_log.fault);
    const BufferSpec& spec = request->buffers[*live_output(*request)];
    EXPECT_EQ(spec.bytes, m_buffers.bytes);
    EXPECT_EQ(std::count(m_running.begin(), m_running.end(), slot), 0);
    std::vector<uint8_t> bytes(spec.bytes, 40);
    const auto red = static_cast<uint8_t>(50 + m_log.started % 200);
    for (size_t i = 0; i < bytes.size(); i += spec.channels) bytes[i] = red;
    glBindBuffer(GL_COPY_WRITE_BUFFER, m_buffers.names.at(slot));
    glBufferSubData(GL_COPY_WRITE_BUFFER, 0, static_cast<GLsizeiptr>(bytes.size()), bytes.data());
    glBindBuffer(GL_COPY_WRITE_BUFFER, 0);
    m_running.push_back(slot);
    ++m_log.started;
    return true;
  }
  Result<std::vector<LiveFrame>> finished() override {
    std::vector<LiveFrame> frames;
    if (m_log.under_way) return frames;
    for (const size_t slot : m_running) frames.push_back({slot, 0.213, {}});
    m_running.clear();
    return frames;
  }
  bool busy() const override { return !m_running.empty(); }
  BusTraffic traffic() const override { return {}; }

 private:
  Log& m_log;
  OpenGlBuffers m_buffers;
  std::vector<size_t> m_running;
};

class LiveWindow : public WindowTest {
 protected:
  static WindowOptions with_mandelbrot() {
    WindowOptions options;
    options.kernel = "mandelbrot";
    return options;
  }
  WindowOptions with_fake() {
    WindowOptions options = with_mandelbrot();
    options.make_live = [this](const Device&, std::function<void()>) -> Result<std::unique_ptr<LiveEngine>> {
      return std::unique_ptr<LiveEngine>(std::make_unique<SharingFake>(log));
    };
    return options;
  }
  static bool shows_live(Driver& d) {
    return d.wait_until([&] { return d.state().live.report.shown && d.shell.live().frames_shown() > 0; });
  }
  SharingFake::Log log;
};

TEST_F(LiveWindow, FollowsWheelAndDragOnTheVirtualGpuAndCountsWhenItRests) {
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        const uint64_t runs = d.state().runs.recorded;
        d.ui->KeyPress(ImGuiKey_F6);
        ASSERT_TRUE(shows_live(d));
        EXPECT_FALSE(d.state().live.playing);
        d.screenshot("live_mandelbrot_1920x1080_dark");
        d.ui->MouseMoveToPos({960, 500});
        d.ui->MouseWheelY(3);
        ASSERT_TRUE(d.wait_until([&] { return d.state().setup.launch.values.contains("scale"); }));
        EXPECT_NEAR(d.state().setup.launch.values["scale"], 0.004 / std::pow(1.2, 3), 1e-6);
        const double before = d.state().setup.launch.values["center_x"];
        d.ui->MouseDragWithDelta({120, 0});
        ASSERT_TRUE(d.wait_until([&] { return d.state().setup.launch.values["center_x"] < before; }));
        ASSERT_TRUE(d.wait_until([&] { return d.state().runs.recorded > runs; })) << "the full run follows";
        ASSERT_TRUE(d.wait_for_result());
        EXPECT_EQ(std::get<ScalarArgument>(first_launch(*d.state().runs.result->request)->arguments[5]).type,
                  DType::f32);
        EXPECT_FALSE(d.state().undo.gesture_open) << "one step of undo";
        d.screenshot("live_mandelbrot_zoomed_1920x1080_dark");
        d.ui->KeyPress(ImGuiKey_F6);
        d.ui->Yield(6);
        EXPECT_FALSE(d.state().live.on);
        d.screenshot("live_mandelbrot_counted_1920x1080_dark");
      },
      with_mandelbrot());
}

TEST_F(LiveWindow, RestsWhenNothingMoves) {
  drive(
      [this](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.palette("live picture");
        ASSERT_TRUE(shows_live(d));
        d.let_pass(0.3);
        const int started = log.started;
        d.let_pass(0.5);
        EXPECT_EQ(log.started, started);
        EXPECT_FALSE(d.shell.live().wait_s()) << "no frame is due";
        d.ui->KeyPress(ImGuiKey_F7);
        ASSERT_TRUE(d.wait_until([&] { return log.started > started + 5; }))
            << "and plays when it is asked to";
        d.ui->KeyPress(ImGuiKey_F7);
        d.ui->Yield(10);
        const int paused = log.started;
        d.let_pass(0.5);
        EXPECT_EQ(log.started, paused);
      },
      with_fake());
}

TEST_F(LiveWindow, DrawsWhatIsInOpenglsMemoryWithNoByteOverTheBus) {
  drive(
      [this](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.state().setup.device.is_virtual = false;
        d.shell.actions().push(SetLive{true});
        ASSERT_TRUE(shows_live(d));
        d.shell.actions().push(PlayLive{true});
        ASSERT_TRUE(
            d.wait_until([&] { return log.started > 20 && d.state().live.report.frames_per_second > 0; }));
        EXPECT_TRUE(d.state().live.report.shared);
        EXPECT_EQ(d.shell.live().traffic().copies, 0u);
        EXPECT_EQ(d.state().live.report.bytes_a_frame, 0);
        d.shell.actions().push(PlayLive{false});
        d.ui->Yield(10);
        d.screenshot("live_shared_1920x1080_dark");
        const Image window = d.picture();
        const size_t middle = 3 * (size_t{500} * window.width + 960);
        EXPECT_EQ(window.pixels[middle], 50 + (log.started - 1) % 200) << "the newest frame";
        EXPECT_EQ(window.pixels[middle + 1], 40);
      },
      with_fake());
}

TEST_F(LiveWindow, SurvivesOtherSizesPicturesAndKernelsWhileRunning) {
  drive(
      [this](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.shell.actions().push(SetLive{true});
        ASSERT_TRUE(shows_live(d));
        d.shell.actions().push(PlayLive{true});
        for (const int width : {64, 333, 1, 960}) {
          const uint64_t shown = d.shell.live().frames_shown();
          d.shell.actions().push(SetValue{"width", double(width)});
          ASSERT_TRUE(d.wait_until([&] { return d.shell.live().frames_shown() > shown + 2; })) << width;
        }
        EXPECT_GE(log.taken, 4);
        EXPECT_EQ(log.lent, log.taken);
        d.resize(1280, 720);
        for (const char* kernel : {"box_blur", "grayscale", "histogram_equalisation"}) {
          const uint64_t shown = d.shell.live().frames_shown();
          d.shell.actions().push(ChooseKernel{kernel});
          ASSERT_TRUE(d.wait_until([&] { return d.shell.live().frames_shown() > shown + 2; })) << kernel;
          EXPECT_TRUE(d.state().live.on);
        }
        d.screenshot("live_other_kernel_1280x720_dark");
        d.shell.actions().push(ChooseKernel{"vector_add"});
        ASSERT_TRUE(d.wait_until([&] { return !d.state().live.on; })) << "it writes no picture";
        EXPECT_EQ(log.closed, 1);
      },
      with_fake());
}

TEST_F(LiveWindow, ClosesWhileAFrameIsUnderWay) {
  drive(
      [this](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.shell.actions().push(SetLive{true});
        ASSERT_TRUE(shows_live(d));
        log.under_way = true;
        d.shell.actions().push(SetValue{"max_iterations", 77});
        ASSERT_TRUE(d.wait_until([&] { return log.started >= 2; }));
      },
      with_fake());
  EXPECT_EQ(log.closed, 1);
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.shell.actions().push(SetLive{true});
        ASSERT_TRUE(shows_live(d));
        d.shell.actions().push(SetValue{"max_iterations", 10000});
        d.ui->Yield(3);
      },
      with_mandelbrot());
}

TEST_F(LiveWindow, SaysWhatEndedIt) {
  drive(
      [this](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.shell.actions().push(SetLive{true});
        ASSERT_TRUE(shows_live(d));
        log.fault = "Running the kernel live: cudaErrorIllegalAddress";
        d.shell.actions().push(SetValue{"max_iterations", 77});
        ASSERT_TRUE(d.wait_until([&] { return !d.state().live.on; }));
        ASSERT_FALSE(d.state().problems.notices.empty());
        EXPECT_EQ(d.state().problems.notices.front().message, log.fault);
        ASSERT_TRUE(d.wait_for_result()) << "the run goes on without it";
        EXPECT_EQ(d.state().runs.now.stale_because, "");
      },
      with_fake());
}

TEST_F(LiveWindow, EndsWithASentenceWhereThereIsNoMemoryForIt) {
  drive(
      [this](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.shell.actions().push(SetLive{true});
        ASSERT_TRUE(shows_live(d));
        log.out_of_memory = true;
        d.shell.actions().push(SetValue{"max_iterations", 77});
        ASSERT_TRUE(d.wait_until([&] { return !d.state().live.on; }));
        ASSERT_FALSE(d.state().problems.notices.empty());
        EXPECT_NE(d.state().problems.notices.front().message.find("not enough memory"), std::string::npos);
      },
      with_fake());
}

TEST_F(LiveWindow, CanBeReadInBothThemesAndSizes) {
  WindowOptions options;
  options.kernel = "box_blur";
  drive(
      [](Driver& d) {
        ASSERT_TRUE(d.wait_for_result());
        d.shell.actions().push(SetLive{true});
        ASSERT_TRUE(shows_live(d));
        d.screenshots("live_blur");
      },
      options);
}

}  // namespace THIS_FILE
}  // namespace warplens
