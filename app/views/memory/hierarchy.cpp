// The levels of memory as boxes, and the counted traffic between them as arrows.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/base/draw/parts.h"
#include "app/base/format.h"
#include "app/views/memory/picture_sections.h"
#include "app/views/model/baseline.h"

namespace warplens {

namespace {

uint32_t colour_of(FlowKind kind) {
  return kind == FlowKind::load    ? group_colours[0]
         : kind == FlowKind::store ? group_colours[3]
         : kind == FlowKind::copy  ? group_colours[5]
                                   : group_colours[7];
}
const char* plural_of(FlowKind kind) {
  switch (kind) {
    case FlowKind::load:
      return "loads";
    case FlowKind::store:
      return "stores";
    case FlowKind::atomic:
      return "atomics";
    case FlowKind::copy:
      return "copies";
  }
  return "";
}

struct SpaceRow {
  MemorySpace space;
  const char* name;
  std::vector<size_t> flows;
  Box box;
  bool used = false;
};

// An unused flow is left out if its space has a used one.
std::vector<SpaceRow> rows_of(const MemoryView& view) {
  std::vector<SpaceRow> rows = {{MemorySpace::global, "Global", {}, {}, false},
                                {MemorySpace::local, "Local", {}, {}, false},
                                {MemorySpace::texture, "Texture", {}, {}, false},
                                {MemorySpace::constant, "Constant", {}, {}, false},
                                {MemorySpace::shared, "Shared", {}, {}, false}};
  for (SpaceRow& row : rows) {
    for (size_t i = 0; i < view.flows.size(); ++i)
      if (view.flows[i].space == row.space && view.flows[i].used()) row.flows.push_back(i);
    row.used = !row.flows.empty();
  }
  return rows;
}

struct CacheColumns {
  Box threads, spaces, l1, l2, dram;
};

CacheColumns columns_of(const Style& style, Box box) {
  const float narrow = std::clamp(box.width / style.px(1000), 0.9f, 1.0f);
  const std::array<float, 5> least = {style.px(84) * narrow, style.px(92) * narrow, style.px(84) * narrow,
                                      style.px(70) * narrow, style.px(76) * narrow};
  const std::array<float, 4> share = {0.25f, 0.28f, 0.24f, 0.23f};
  float rest = box.width;
  for (const float width : least) rest -= width;
  std::array<Box, 5> boxes;
  float x = box.x;
  for (size_t i = 0; i < boxes.size(); ++i) {
    boxes[i] = {x, box.y, least[i], box.height};
    x += least[i] + (i < share.size() ? rest * share[i] : 0);
  }
  return {boxes[0], boxes[1], boxes[2], boxes[3], boxes[4]};
}

void draw_node(Picture& picture, const Style& style, Box box, std::string_view name, std::string_view below,
               bool used, Colour line) {
  const Palette& p = style.palette;
  picture.rectangle(box, solid(used ? mix(p.panel, line.rgb, 0.14) : p.panel), style.px(6),
                    used ? line : solid(p.line), style.px(1.5f));
  const Colour ink = solid(used ? p.text : p.quiet);
  const bool two = !below.empty() && box.height > style.px(44);
  const float y = box.centre().y - (two ? style.px(9) : 0);
  picture.text({box.centre().x, y}, shortened(style, name, Font::strong, style.body(), box.width - 6),
               Font::strong, style.body(), ink, AlignX::centre, AlignY::middle);
  if (two)
    picture.text({box.centre().x, y + style.px(19)},
                 shortened(style, below, Font::words, style.small(), box.width - 4), Font::words,
                 style.small(), solid(p.quiet), AlignX::centre, AlignY::middle);
}

// From the thread's side to the memory's; a load's head points back to the thread. A background copy reads
// global memory and writes shared memory.
void draw_arrow(Picture& picture, const Style& style, Point from, Point to, FlowKind kind, MemorySpace space,
                float width, Colour colour) {
  const float head = std::max(style.px(7), width * 1.1f);
  const bool copy = kind == FlowKind::copy;
  const bool left = copy ? space == MemorySpace::global : kind != FlowKind::store;
  const bool right = copy ? space == MemorySpace::shared : kind != FlowKind::load;
  const float x0 = from.x + (left ? head : 0), x1 = to.x - (right ? head : 0);
  picture.line({x0, from.y}, {x1, to.y}, colour, width);
  const auto point = [&](float tip, float base) {
    Path path;
    path.points = {{tip, from.y}, {base, from.y - head * 0.75f}, {base, from.y + head * 0.75f}};
    path.closed = true;
    path.fill = colour;
    picture.shapes.emplace_back(std::move(path));
  };
  if (left) point(from.x, from.x + head);
  if (right) point(to.x, to.x - head);
}

std::string_view first_word(std::string_view words) { return words.substr(0, words.find(' ')); }

// Only the first word, if there is no room for all. The number is never shortened.
void arrow_words(Picture& picture, const Style& style, Point from, Point to, std::string_view words) {
  const float room = to.x - from.x;
  const bool whole = style.width(words, Font::mono, style.small()) <= room;
  const std::string_view shown = whole ? words : first_word(words);
  picture.text({(from.x + to.x) / 2, from.y - style.px(19)}, shown, Font::mono, style.small(),
               solid(style.palette.text), AlignX::centre);
}

class Chart {
 public:
  Chart(Picture& picture, const Style& style, Box box, const MemoryPictureInput& input, MemoryLayout& layout)
      : m_picture(picture),
        m_style(style),
        m_box(box),
        m_input(input),
        m_view(*input.view),
        m_layout(layout),
        m_rows(rows_of(*input.view)),
        m_step(style.px(input.baseline != nullptr ? 46.0f : 32.0f)) {
    for (const MemoryFlow& flow : m_view.flows) {
      m_most = std::max(m_most, flow.sectors.value_or(0));
      m_most_requests = std::max(m_most_requests, flow.requests.value_or(0));
    }
  }

  float draw() {
    place();
    draw_headers();
    const Palette& p = m_style.palette;
    draw_node(m_picture, m_style, m_columns.threads, "Threads", "registers", true, solid(p.accent));
    for (const SpaceRow& row : m_rows) draw_row(row);
    draw_caches();
    return m_columns.threads.bottom() + m_style.px(8);
  }

 private:
  float row_height(const SpaceRow& row) const {
    return row.used ? m_style.px(16) + m_step * static_cast<float>(row.flows.size()) : m_style.px(28);
  }

  void place() {
    const float header = m_style.px(22), gap = m_style.px(6);
    float total = -gap;
    for (const SpaceRow& row : m_rows) total += row_height(row) + gap;
    m_columns = columns_of(m_style, {m_box.x, m_box.y + header, m_box.width, total});
    float y = m_columns.threads.y;
    for (SpaceRow& row : m_rows) {
      row.box = {m_columns.spaces.x, y, m_columns.spaces.width, row_height(row)};
      y += row.box.height + gap;
    }
    // Global, local and texture pass L1; shared memory is part of the SM, constants have a cache of their
    // own.
    m_columns.l1.height = m_rows[2].box.bottom() - m_columns.l1.y;
    m_columns.l2.height = m_columns.dram.height = m_rows[3].box.bottom() - m_columns.l1.y;
  }

  void draw_headers() {
    const CacheColumns& c = m_columns;
    const auto head = [&](float from, float to, std::string_view words) {
      const std::string_view fitting =
          m_style.width(words, Font::words, m_style.small()) <= to - from ? words : first_word(words);
      m_picture.text({(from + to) / 2, m_box.y}, fitting, Font::words, m_style.small(),
                     solid(m_style.palette.quiet), AlignX::centre);
    };
    head(c.threads.right(), c.spaces.x, "requests of warps");
    head(c.spaces.right(), c.l1.x, "sectors of 32 B · bytes");
    head(c.l1.right(), c.l2.x, "sectors");
    head(c.l2.right(), c.dram.x, "bytes");
  }

  void draw_row(const SpaceRow& row) {
    const Palette& p = m_style.palette;
    draw_node(m_picture, m_style, row.box, row.name, row.space == MemorySpace::shared ? "in the SM" : "",
              row.used, solid(row.space == MemorySpace::shared ? group_colours[2] : p.accent));
    if (!row.used) {
      m_picture.line({m_columns.threads.right() + m_style.px(6), row.box.centre().y},
                     {row.box.x - m_style.px(6), row.box.centre().y}, solid(p.line), 1);
      m_picture.area(row.box, {}, std::string(row.name) + " memory: this run did not touch it");
      return;
    }
    for (size_t i = 0; i < row.flows.size(); ++i)
      draw_flow(row, row.flows[i], row.box.y + m_style.px(28) + m_step * static_cast<float>(i));
  }

  void draw_flow(const SpaceRow& row, size_t index, float y) {
    const MemoryFlow& flow = m_view.flows[index];
    const Colour colour = solid(colour_of(flow.kind));
    const Point left{m_columns.threads.right() + m_style.px(4), y}, right{row.box.x - m_style.px(4), y};
    const std::string requests = flow.requests ? with_separators(*flow.requests) + " " + plural_of(flow.kind)
                                               : std::string(plural_of(flow.kind)) + " not counted";
    arrow(index, left, right, flow.kind, width_of(flow.requests, m_most_requests), colour,
          {requests, ratio(index, &MemoryFlow::requests)}, m_layout.requests);
    m_picture.area(
        {left.x, y - m_style.px(20), right.x - left.x, m_style.px(30)}, {},
        fmt::format("{} memory, {}: {} of warps. Counted by the virtual GPU.", row.name, plural_of(flow.kind),
                    flow.requests ? count_text(*flow.requests, "request", "requests") : "requests not"));
    const Point out{row.box.right() + m_style.px(4), y}, in{m_columns.l1.x - m_style.px(4), y};
    if (flow.sectors) {
      const std::string words = with_separators(*flow.sectors) + " · " + bytes_text(*flow.bytes());
      arrow(index, out, in, flow.kind, width_of(flow.sectors, m_most), colour,
            {words, ratio(index, &MemoryFlow::sectors)}, m_layout.sectors);
      m_picture.area({out.x, y - m_style.px(20), in.x - out.x, m_style.px(30)}, {},
                     fmt::format("{} × 32 B = {}{}", count_text(*flow.sectors, "sector", "sectors"),
                                 bytes_text(*flow.bytes()), per_request(flow)));
    } else if (flow.wavefronts) {
      std::string words = fmt::format("{} · {}", count_text(*flow.wavefronts, "wavefront", "wavefronts"),
                                      count_text(flow.conflicts.value_or(0), "conflict", "conflicts"));
      if (const std::string wavefronts = ratio(index, &MemoryFlow::wavefronts); !wavefronts.empty())
        words += fmt::format(" ({})", wavefronts);
      m_picture.text({out.x + m_style.px(8), y}, words, Font::mono, m_style.small(),
                     solid(m_style.palette.text), AlignX::left, AlignY::middle);
      m_picture.area(
          {out.x, y - m_style.px(12), m_columns.l2.right() - out.x, m_style.px(24)}, {},
          "A wavefront is one pass over the 32 banks; conflicts are the passes beyond what the access "
          "needs. Shared memory is inside the SM: these accesses do not reach the caches.");
    } else {
      m_picture.text({out.x + m_style.px(8), y}, "sectors not counted", Font::words, m_style.small(),
                     solid(m_style.palette.quiet), AlignX::left, AlignY::middle);
    }
  }

  std::string per_request(const MemoryFlow& flow) const {
    if (!flow.requests || *flow.requests == 0) return {};
    return fmt::format("; {} sectors a request", significant(double(*flow.sectors) / double(*flow.requests)));
  }

  float width_of(std::optional<uint64_t> amount, uint64_t most) const {
    if (!amount || most == 0) return m_style.px(1.5f);
    return m_style.px(1.5f + 6.5f * static_cast<float>(double(*amount) / double(most)));
  }

  // The ratio of this amount to the baseline's. The flows of two views are in the same order.
  std::string ratio(size_t flow, std::optional<uint64_t> MemoryFlow::*amount) const {
    if (m_input.baseline == nullptr || flow >= m_input.baseline->flows.size()) return "";
    return ratio(m_view.flows[flow].*amount, m_input.baseline->flows[flow].*amount);
  }
  std::string ratio(std::optional<uint64_t> now, std::optional<uint64_t> then) const {
    const auto number = [](std::optional<uint64_t> n) {
      return n ? std::optional(double(*n)) : std::nullopt;
    };
    return against(number(now), number(then), m_input.baseline_label);
  }

  struct ArrowWords {
    std::string amount, ratio;
  };

  void below_arrow(Point from, Point to, const std::string& ratio) {
    m_picture.text({(from.x + to.x) / 2, from.y + m_style.px(7)}, ratio, Font::mono, m_style.small(),
                   solid(m_style.palette.quiet), AlignX::centre);
  }

  void arrow(size_t flow, Point from, Point to, FlowKind kind, float width, Colour colour, ArrowWords words,
             std::vector<MemoryLayout::Arrow>& arrows) {
    draw_arrow(m_picture, m_style, from, to, kind, m_view.flows[flow].space, width, colour);
    const float lift = std::max(0.0f, width / 2 - m_style.px(2));
    arrow_words(m_picture, m_style, {from.x, from.y - lift}, {to.x, to.y - lift}, words.amount);
    below_arrow(from, to, words.ratio);
    arrows.push_back({flow, from, to, width, std::move(words.amount), std::move(words.ratio)});
  }

  void draw_caches() {
    const Palette& p = m_style.palette;
    const CacheColumns& c = m_columns;
    const bool cached = m_rows[0].used || m_rows[1].used || m_rows[2].used;
    const std::string hit =
        m_view.l1_hit_percent ? percent_text(*m_view.l1_hit_percent) + " hits" : m_view.levels[0];
    draw_node(m_picture, m_style, c.l1, "L1", hit, cached, solid(p.accent));
    draw_node(m_picture, m_style, c.l2, "L2", m_view.levels[1], cached, solid(p.accent));
    draw_node(m_picture, m_style, c.dram, "DRAM", m_view.levels[2], cached, solid(p.accent));
    if (!cached) return;
    const CacheFlow &l2 = m_view.l1_to_l2, &dram = m_view.l2_to_dram;
    const MemoryView* base = m_input.baseline;
    const bool stores = l2.written_sectors || dram.written_bytes;
    const float y = c.l1.y + std::min(c.l1.height, c.l2.height) / 2;
    const float load_y = stores ? y - m_style.px(10) : y, store_y = y + m_step;
    between(c.l1, c.l2, load_y, FlowKind::load,
            {l2.sectors ? with_separators(*l2.sectors) : "",
             ratio(l2.sectors, base ? base->l1_to_l2.sectors : std::nullopt)},
            "As the model of the caches counted it.");
    between(c.l2, c.dram, load_y, FlowKind::load,
            {dram.read_bytes ? bytes_text(*dram.read_bytes) : "",
             ratio(dram.read_bytes, base ? base->l2_to_dram.read_bytes : std::nullopt)},
            "As the model of the caches counted it.");
    if (l2.written_sectors)
      between(c.l1, c.l2, store_y, FlowKind::store,
              {with_separators(*l2.written_sectors),
               ratio(l2.written_sectors, base ? base->l1_to_l2.written_sectors : std::nullopt)},
              "L1 writes through: every sector that is stored goes on to L2.");
    if (stores)
      between(c.l2, c.dram, store_y, FlowKind::store,
              {dram.written_bytes ? bytes_text(*dram.written_bytes) : "",
               ratio(dram.written_bytes, base ? base->l2_to_dram.written_bytes : std::nullopt)},
              "L2 keeps what was written until another line takes its place: this much had to make room "
              "during the run.");
  }

  void between(Box left, Box right, float y, FlowKind kind, const ArrowWords& words, const char* hint) {
    const Point from{left.right() + m_style.px(4), y}, to{right.x - m_style.px(4), y};
    const bool known = !words.amount.empty();
    below_arrow(from, to, words.ratio);
    if (known) {
      draw_arrow(m_picture, m_style, from, to, kind, MemorySpace::global, m_style.px(4),
                 solid(colour_of(kind)));
      m_layout.between.push_back({kind, from, to, words.amount});
    } else {
      for (float x = from.x; x + m_style.px(4) < to.x; x += m_style.px(9))
        m_picture.line({x, y}, {x + m_style.px(4), y}, solid(m_style.palette.quiet), m_style.px(1.5f));
    }
    const float room = to.x - from.x;
    const std::string unknown =
        m_style.width("not known", Font::words, m_style.small()) <= room ? "not known" : "?";
    m_picture.text({(from.x + to.x) / 2, y - m_style.px(19)}, known ? words.amount : unknown,
                   known ? Font::mono : Font::words, m_style.small(),
                   solid(known ? m_style.palette.text : m_style.palette.quiet), AlignX::centre);
    m_picture.area({from.x, y - m_style.px(24), to.x - from.x, m_style.px(34)}, {},
                   known ? hint : m_view.cache_words);
  }

  Picture& m_picture;
  const Style& m_style;
  Box m_box;
  const MemoryPictureInput& m_input;
  const MemoryView& m_view;
  MemoryLayout& m_layout;
  std::vector<SpaceRow> m_rows;
  float m_step;  // from one flow to the next
  CacheColumns m_columns;
  uint64_t m_most = 0, m_most_requests = 0;
};

// The same amounts as text, if there is no room for the chart.
float draw_list(Picture& picture, const Style& style, Box box, const MemoryView& view) {
  float y = box.y;
  for (const MemoryFlow& flow : view.flows) {
    if (!flow.used()) continue;
    picture.rectangle({box.x, y + style.px(3), style.px(10), style.px(10)}, solid(colour_of(flow.kind)), 2);
    std::string words = fmt::format("{} {}", to_string(flow.space), plural_of(flow.kind));
    if (flow.requests) words += ": " + count_text(*flow.requests, "request", "requests");
    if (flow.sectors)
      words +=
          fmt::format(", {} = {}", count_text(*flow.sectors, "sector", "sectors"), bytes_text(*flow.bytes()));
    if (flow.wavefronts)
      words += fmt::format(", {}, {}", count_text(*flow.wavefronts, "wavefront", "wavefronts"),
                           count_text(flow.conflicts.value_or(0), "bank conflict", "bank conflicts"));
    y = draw_paragraph(picture, style, {box.x + style.px(18), y}, words, Font::words, style.small(),
                       solid(style.palette.text), box.width - style.px(18)) +
        style.px(6);
  }
  return y + style.px(6);
}

}  // namespace

float draw_hierarchy(Picture& picture, const Style& style, Box box, const MemoryPictureInput& input,
                     MemoryLayout& layout) {
  const MemoryView& view = *input.view;
  float y = box.width < style.px(600) ? draw_list(picture, style, box, view)
                                      : Chart(picture, style, box, input, layout).draw();
  if (!view.cache_words.empty())
    y = draw_paragraph(picture, style, {box.x, y}, view.cache_words, Font::words, style.small(),
                       solid(style.palette.quiet), box.width);
  return y + style.px(10);
}

}  // namespace warplens
