// How long work may go on between two frames of a page, so that drawing and work together leave the page its
// frames. Work looks at the clock about every millisecond of its own; on a busy machine others run in the
// meantime, and it stops late. How late, the pieces before tell.
#pragma once

#include <algorithm>

namespace warplens::host {

class WorkTime {
 public:
  // A frame longer than 50 ms is one that people notice; some of it is the browser's.
  static constexpr double frame_seconds = 0.045;
  // Less would not be worth to begin with.
  static constexpr double least_seconds = 0.004;
  // A larger share would not make work faster by much. A small one while somebody moves something, which is
  // to be smooth.
  static constexpr double still_seconds = 0.025, heard_seconds = 0.008;

  // In a frame whose drawing took so long.
  double seconds(double drawing, bool heard) const {
    const double most = heard ? heard_seconds : still_seconds;
    return std::clamp(frame_seconds - drawing - m_late, least_seconds, most);
  }

  // A piece went on so long past its time. One that was late makes the next ones shorter, and they grow
  // again.
  void stopped(double late) { m_late = std::max(late, m_late * share_remembered); }

 private:
  static constexpr double share_remembered = 0.9;
  double m_late = 0;
};

}  // namespace warplens::host
