// How long work may take between two frames of a page, so that drawing and work together do not delay the
// next frame. Work reads the clock about every millisecond of its own time. On a busy machine other processes
// run in the meantime, so it stops late. The pieces before tell how late.
#pragma once

#include <algorithm>

namespace warplens::host {

class WorkTime {
 public:
  // People notice a frame longer than 50 ms. The browser needs a part of it.
  static constexpr double frame_seconds = 0.045;
  // A shorter piece is not worth its overhead.
  static constexpr double least_seconds = 0.004;
  // A larger share would not make work much faster. The share is small while the user moves something, so
  // that the motion is smooth.
  static constexpr double still_seconds = 0.025, heard_seconds = 0.008;

  // The work time in a frame whose drawing took this long.
  double seconds(double drawing, bool heard) const {
    const double most = heard ? heard_seconds : still_seconds;
    return std::clamp(frame_seconds - drawing - m_late, least_seconds, most);
  }

  // A piece of work took this much longer than its time. One that was late makes the next ones shorter, and
  // they grow again.
  void stopped(double late) { m_late = std::max(late, m_late * share_remembered); }

 private:
  static constexpr double share_remembered = 0.9;
  double m_late = 0;
};

}  // namespace warplens::host
