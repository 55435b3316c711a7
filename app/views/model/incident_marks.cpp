#include "app/views/model/incident_marks.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/base/format.h"
#include "core/launch/incident_advice.h"

namespace warplens {

namespace {

void find_place(IncidentMark& mark, const Incident& incident, const LaunchRequest& request) {
  if (!incident.offset) {
    if (incident.bytes > 0) mark.place = hex_text(incident.address);
    return;
  }
  for (uint32_t i = 0; i < request.buffers.size(); ++i) {
    const BufferSpec& spec = request.buffers[i];
    if (spec.name != incident.allocation) continue;
    mark.buffer = i;
    mark.offset = incident.offset;
    mark.element = *incident.offset / std::max(1u, bytes_of(spec.dtype));
    mark.place = fmt::format("{}[{}]", spec.name, *mark.element);
    return;
  }
  mark.place = fmt::format("{}, byte {}", incident.allocation.empty() ? "memory" : incident.allocation,
                           with_separators(*incident.offset));
}

IncidentMark mark_of(const Incident& incident, bool fault, const std::string& verb,
                     const LaunchRequest& request) {
  IncidentMark mark;
  mark.fault = fault;
  mark.verb = verb;
  mark.message = without_advice(incident.message);  // Problems has it
  mark.file = incident.file;
  mark.line = incident.line;
  mark.block = incident.block;
  mark.thread = incident.thread;
  find_place(mark, incident, request);
  if (mark.place.empty()) mark.verb = fault ? "stopped" : verb;
  return mark;
}

std::string verb_of(IncidentKind kind) {
  std::string words = to_string(kind);
  std::ranges::replace(words, '_', ' ');
  return words;
}

}  // namespace

std::vector<IncidentMark> incident_marks(const RunResult& result, size_t limit) {
  std::vector<IncidentMark> marks;
  if (!result.request) return marks;
  for (const Incident& fault : result.faults) {
    if (marks.size() == limit) return marks;
    marks.push_back(mark_of(fault, true, "refused", *result.request));
  }
  for (const Incident& finding : result.findings) {
    const std::string verb = verb_of(finding.kind);
    for (const Incident* side : {&finding, finding.other.get()}) {
      if (side == nullptr) continue;
      if (marks.size() == limit) return marks;
      marks.push_back(mark_of(*side, false, verb, *result.request));
      if (marks.back().message.empty()) marks.back().message = finding.message;
    }
  }
  return marks;
}

const IncidentMark* incident_of_line(const std::vector<IncidentMark>& marks, const std::string& file,
                                     uint32_t line) {
  for (const IncidentMark& mark : marks)
    if (line != 0 && mark.line == line && mark.file == file) return &mark;
  return nullptr;
}

Colour colour_of_mark(const Style& style, const IncidentMark& mark) {
  return solid(mark.fault ? style.palette.fault : style.palette.text);
}

void draw_incident_mark(Picture& picture, const Style& style, Box cell, const IncidentMark& mark) {
  const float least = std::min(cell.width, cell.height);
  // In a large cell it stands inside the frame of what is pinned.
  const float grow = least >= style.px(24) ? -style.px(3) : std::max(0.0f, (style.px(14) - least) / 2);
  const Box box = cell.inset(-grow);
  const Colour colour = colour_of_mark(style, mark), rim = solid(style.palette.panel);
  if (grow >= 0) picture.rectangle(box.inset(-1), {}, 3, rim, style.px(3) + 2);
  picture.rectangle(box, solid(colour.rgb, 0.2f), 2, colour, style.px(3));
  // The sign stands in the upper right corner, next to what is written in the centre of a cell.
  const float side = std::min(style.px(18), std::min(box.width, box.height) * 0.6f);
  const Box sign{box.right() - side, box.y, side, side};
  picture.rectangle(sign, colour, 2);
  const Box inner = sign.inset(side * 0.28f);
  if (mark.fault) {
    picture.line({inner.x, inner.y}, {inner.right(), inner.bottom()}, rim, std::max(1.5f, side / 8));
    picture.line({inner.right(), inner.y}, {inner.x, inner.bottom()}, rim, std::max(1.5f, side / 8));
  } else {
    picture.rectangle(inner, rim, inner.width / 2);
  }
}

}  // namespace warplens
