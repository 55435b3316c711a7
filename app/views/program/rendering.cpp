// The picture of the Program view in a file.
#include "app/views/model/rendering.h"
#include "app/views/program/timeline_picture.h"
#include "core/job/files/device_figures.h"

namespace warplens {
namespace {

struct ProgramPicture {
  ProgramTimeline timeline;
  recording::ProgramReport report;
  TimelineInput input;
};

Rendered make_program(const RenderChoice&, const RenderSource& source) {
  if (source.recording == nullptr) return {};
  const auto made = std::make_shared<ProgramPicture>();
  made->timeline = program_timeline(*source.recording);
  made->report = report_of(*source.recording, figures_of_device(source.recording->device));
  made->input = {.recording = source.recording, .timeline = &made->timeline, .shows_overlap = true};
  return {[made](Picture& picture, const Style& style, Box box) {
    return draw_program(picture, style, box, made->input, made->report);
  }};
}

}  // namespace

std::span<const Rendering> program_renderings() {
  static constexpr Rendering rows[] = {
      {.name = "program", .needs = RenderNeeds::recording, .make = make_program}};
  return rows;
}

}  // namespace warplens
