#include "app/views/image/live_words.h"

#include <fmt/format.h>

#include <cmath>

#include "app/base/format.h"

namespace warplens {

namespace {

std::string over_the_bus(const LiveReport& report) {
  return bytes_text(static_cast<uint64_t>(std::llround(report.bytes_a_frame))) + " over the bus a frame";
}

std::string rate_text(const LiveReport& report) {
  if (report.frames_per_second <= 0) return "";
  return fmt::format(" · {} pictures/s", significant(report.frames_per_second));
}

}  // namespace

std::string live_note(const LiveState& live) {
  const LiveReport& report = live.report;
  if (!live.on || !report.shown) return "";
  if (!report.on_gpu)
    return fmt::format(
        "live: {} a picture on this machine's processor (measured){} · nothing is counted until it pauses",
        milliseconds_text(report.kernel_ms), rate_text(report));
  std::string text = fmt::format("live: kernel {} (measured){} · {}", milliseconds_text(report.kernel_ms),
                                 rate_text(report), over_the_bus(report));
  if (report.shared) return text + ": the kernel writes into memory that OpenGL draws from";
  return text + ": " + report.why_not;
}

std::string live_status(const LiveState& live) {
  const LiveReport& report = live.report;
  if (!live.on) return "";
  if (!report.shown) return "live: getting ready";
  if (!report.on_gpu) return "live on the processor" + rate_text(report);
  return (report.shared ? "live · drawn from the GPU's memory, " : "live · through host memory, ") +
         over_the_bus(report) + rate_text(report);
}

std::string live_status_hint(const LiveState& live) {
  const LiveReport& report = live.report;
  if (!live.on || !report.shown) return "";
  if (report.shared)
    return "The kernel writes into buffers that OpenGL draws from (CUDA–OpenGL interop); copies between host "
           "and device are counted.";
  return report.why_not + (report.advice.empty() ? "" : "\n" + report.advice);
}

}  // namespace warplens
