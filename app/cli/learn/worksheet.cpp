// warplens worksheet: a lesson's questions on paper, with the views' pictures and room for answers; and a
// key.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <ostream>

#include "app/base/draw/save_picture.h"
#include "app/base/language.h"
#include "app/cli/learn/worksheet_picture.h"
#include "app/cli/shared/commands.h"
#include "app/cli/shared/interrupt.h"
#include "app/cli/shared/lesson_folders.h"
#include "app/user_program/given_program.h"
#include "app/views/model/code_lines.h"
#include "core/base/system/files.h"
#include "core/base/text.h"
#include "core/lesson/load/notes.h"
#include "core/lesson/play/player.h"
#include "core/lesson/play/stage.h"
#include "core/markdown/markdown.h"

namespace warplens {

namespace {

// What the sheet itself says, in the lesson's language; English where there are none of it.
struct SheetWords {
  std::string_view language, name, key, places, fill_in, mark, write, for_teacher;
  // What the window asks for, and what paper can: with the words that go with a click only ("klicke auf",
  // "klicke … an"), and those after which the click is one into a text.
  std::string_view click, mark_verb, name_verb, on, at_end, into;
};
constexpr SheetWords sheet_words[] = {
    {"en", "Name:", "key", "Write the place of each into its box.", "Fill in, with {}.",
     "Mark them in the picture, and explain why.", "Write down which, and explain why.", "For the teacher",
     "Click", "Mark", "Name", "", "", " into "},
    {"de", "Name:", "Lösung", "Schreibe in jedes Kästchen, an welchen Platz es gehört.", "Setze ein: {}.",
     "Markiere im Bild und begründe.", "Schreibe auf, welche, und begründe.", "Für die Lehrkraft", "Klicke",
     "Markiere", "Nenne", " auf", " an", " in "},
};

const SheetWords& words_in(std::string_view language) {
  const auto found = std::ranges::find(sheet_words, language, &SheetWords::language);
  return found == std::end(sheet_words) ? sheet_words[0] : *found;
}

// Another verb in place of the click at this place.
void say_instead(std::string& text, size_t at, size_t length, const std::string& verb,
                 const SheetWords& own) {
  text.replace(at, length, verb);
  const size_t end = at + verb.size();
  if (!own.on.empty() && std::string_view(text).substr(end).starts_with(std::string(own.on) + " "))
    text.erase(end, own.on.size());
  const size_t stop = std::min(text.find_first_of(".,!?", end), text.size());
  const std::string_view sentence = std::string_view(text).substr(end, stop - end);
  if (!own.at_end.empty() && sentence.ends_with(own.at_end))
    text.erase(stop - own.at_end.size(), own.at_end.size());
}

std::string small(std::string_view word) {
  std::string text(word);
  text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace

std::string on_paper(std::string text, std::string_view language, bool drawn) {
  const SheetWords& own = words_in(language);
  const std::string_view verb = drawn ? own.mark_verb : own.name_verb;
  for (const bool capital : {true, false}) {
    const std::string from = capital ? std::string(own.click) : small(own.click);
    const std::string to = capital ? std::string(verb) : small(verb);
    for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at)) {
      const size_t end = at + from.size();
      const bool whole = (at == 0 || text[at - 1] == ' ') && end < text.size() && text[end] == ' ';
      const bool into = std::string_view(text).substr(std::min(end, text.size())).starts_with(own.into);
      if (whole && !into) say_instead(text, at, from.size(), to, own);
      at += 1;
    }
  }
  return text;
}

namespace {

struct WorksheetChoices {
  std::string folder, out, language;
  bool key = false;
};

constexpr float page_width = 794, page_height = 1123, page_margin = 64;  // A4 at 96 pixels an inch
constexpr float to_points = 0.75f;

// Puts texts and pictures below one another, and begins pages.
class Sheet {
 public:
  explicit Sheet(const SheetWords& own) : own_words(own), m_style(paper_style(Theme::light, 1)) {
    begin_page();
  }

  const SheetWords& own_words;

  // Makes room for this many pixels below, on this page or the next.
  void need(float height) {
    if (m_y + height > page_height - page_margin && m_y > page_margin) begin_page();
  }
  void space(float height) { m_y += height; }

  // What words() would take.
  float height_of(std::string_view text, Font font, float size, float indent = 0) const {
    return static_cast<float>(wrapped(m_style, text, font, size, width() - indent).size()) * size * 1.5f;
  }
  void words(std::string_view text, Font font, float size, Colour colour, float indent = 0) {
    for (const std::string& line : wrapped(m_style, text, font, size, width() - indent)) {
      need(size * 1.5f);
      page().text({page_margin + indent, m_y}, line, font, size, colour);
      m_y += size * 1.5f;
    }
  }
  void code(std::string_view line, float size = 12) {
    need(size * 1.5f);
    page().text({page_margin + 12, m_y}, shortened(m_style, line, Font::mono, size, width() - 12), Font::mono,
                size, ink());
    m_y += size * 1.5f;
  }
  // On one page where it fits, with letters that are small enough for the longest line.
  void source(const std::vector<std::string>& lines) {
    const auto fits = [&](float size) {
      return std::ranges::all_of(lines, [&](const std::string& line) {
        return m_style.width(line, Font::mono, size) <= width() - 12;
      });
    };
    float size = 12;
    while (size > 7 && !fits(size)) size -= 0.5f;  // letters have whole widths, so it is no division
    need(static_cast<float>(lines.size()) * size * 1.5f);
    for (const std::string& line : lines) code(line, size);
  }
  void picture(Picture drawn) {
    const float height = std::min(width() * drawn.height / std::max(1.0f, drawn.width), 420.0f);
    need(height + 12);
    m_pages.back().parts.push_back(
        {std::move(drawn),
         {page_margin * to_points, m_y * to_points, width() * to_points, height * to_points}});
    m_y += height + 12;
  }
  // Lines to write on.
  void lines(int count) {
    for (int i = 0; i < count; ++i) {
      need(30);
      m_y += 28;
      page().line({page_margin + 12, m_y}, {page_width - page_margin, m_y}, quiet(), 0.7f);
    }
    m_y += 8;
  }
  void boxes(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      const float height = box_height(text);
      need(height);
      page().rectangle({page_margin + 12, m_y + 2, 14, 14}, {}, 2, ink(), 1);
      const float before = m_y;
      words(text, Font::words, 14, ink(), box_indent);
      m_y = before + height;
    }
    m_y += 6;
  }
  float height_of_boxes(const std::vector<std::string>& texts) const {
    float height = 6;
    for (const std::string& text : texts) height += box_height(text);
    return height;
  }
  // A formula with empty boxes.
  void formula(const lesson::Question& question) {
    float x = page_margin + 12;
    need(40);
    for (const lesson::FormulaPart& part : question.formula) {
      const float wide = part.box ? 96 : m_style.width(part.text, Font::mono, 15) + 8;
      if (x + wide > page_width - page_margin) {
        x = page_margin + 12;
        m_y += 40;
        need(40);
      }
      if (part.box)
        page().rectangle({x, m_y, wide - 8, 30}, {}, 3, ink(), 1);
      else
        page().text({x, m_y + 6}, part.text, Font::mono, 15, ink());
      x += wide;
    }
    m_y += 44;
  }
  void rule() {
    need(24);
    m_y += 10;
    page().line({page_margin, m_y}, {page_width - page_margin, m_y}, quiet(), 1);
    m_y += 14;
  }

  Colour ink() const { return solid(m_style.palette.text); }
  Colour quiet() const { return solid(m_style.palette.quiet); }
  float width() const { return page_width - 2 * page_margin; }

  // With page numbers.
  std::vector<PaperPage> finish(const std::string& foot) {
    std::vector<PaperPage> pages = std::move(m_pages);
    for (size_t i = 0; i < pages.size(); ++i) {
      Picture& under = pages[i].parts.front().picture;
      under.text({page_margin, page_height - 40}, foot, Font::words, 11, quiet());
      under.text({page_width - page_margin, page_height - 40}, fmt::format("{} / {}", i + 1, pages.size()),
                 Font::words, 11, quiet(), AlignX::right);
    }
    return pages;
  }

 private:
  static constexpr float box_indent = 36;
  float box_height(const std::string& text) const {
    return std::max(22.0f, height_of(text, Font::words, 14, box_indent));
  }
  Picture& page() { return m_pages.back().parts.front().picture; }
  void begin_page() {
    PaperPage next;
    Picture paper;
    paper.width = page_width;
    paper.height = page_height;
    next.width = page_width * to_points;
    next.height = page_height * to_points;
    next.parts.push_back({std::move(paper), {0, 0, next.width, next.height}});
    m_pages.push_back(std::move(next));
    m_y = page_margin;
  }

  Style m_style;
  std::vector<PaperPage> m_pages;
  float m_y = 0;
};

// The font has no such brackets.
std::string without_ceilings(std::string words) {
  for (const auto& [from, to] : {std::pair<std::string_view, std::string_view>{"⌈", "ceil("}, {"⌉", ")"}})
    words = replace_all(std::move(words), from, to);
  return words;
}
std::string printable(const markdown::Spans& spans) { return without_ceilings(markdown::plain_text(spans)); }

void put_block(Sheet& sheet, const markdown::Block& block) {
  using Kind = markdown::Block::Kind;
  if (block.kind == Kind::code)
    for (const std::string_view line : lines_of(block.text)) sheet.code(line);
  for (const std::vector<markdown::Spans>& row : block.rows) {
    std::string cells;
    for (const markdown::Spans& cell : row) cells += printable(cell) + "  ";
    sheet.words(cells, Font::words, 14, sheet.ink());
  }
  if (block.kind != Kind::paragraph && block.kind != Kind::heading) return;
  sheet.words(block.mark + (block.mark.empty() ? "" : " ") + printable(block.spans),
              block.kind == Kind::heading ? Font::strong : Font::words, 14, sheet.ink());
  sheet.space(6);
}

void put_text(Sheet& sheet, std::string_view text) {
  for (const markdown::Block& block : markdown::read(text)) put_block(sheet, block);
}

void put_question(Sheet& sheet, const lesson::Question& question, const lesson::Facts& facts,
                  std::span<const std::string> hidden, uint64_t seed, bool drawn) {
  using lesson::QuestionKind;
  const auto filled = [&](const lesson::Placed& text) {
    return printable(markdown::read_line(lesson::filled_in(text.text, facts, hidden)));
  };
  std::vector<std::string> texts;  // next to boxes
  for (size_t i = 0; i < question.choices.size(); ++i)
    texts.push_back(fmt::format("{}  {}", char('A' + i), filled(question.choices[i].text)));
  if (question.kind == QuestionKind::order)
    for (const uint32_t item : lesson::offered_order(question, seed))
      texts.push_back(filled(question.items[item].text));
  // A question and what is to be chosen from stay on one page.
  const std::string asked = on_paper(filled(question.text), sheet.own_words.language, drawn);
  constexpr float room_to_write = 60;
  sheet.need(sheet.height_of(asked, Font::strong, 14) +
             std::max(room_to_write, 18 + sheet.height_of_boxes(texts)));
  sheet.words(asked, Font::strong, 14, sheet.ink());
  switch (question.kind) {
    case QuestionKind::choice:
      return sheet.boxes(texts);
    case QuestionKind::order:
      sheet.words(sheet.own_words.places, Font::words, 12, sheet.quiet(), 12);
      return sheet.boxes(texts);
    case QuestionKind::formula:
      if (!question.tiles.empty())
        sheet.words(fmt::format(fmt::runtime(sheet.own_words.fill_in), fmt::join(question.tiles, ", ")),
                    Font::words, 12, sheet.quiet(), 12);
      return sheet.formula(question);
    case QuestionKind::click:
      sheet.words(drawn ? sheet.own_words.mark : sheet.own_words.write, Font::words, 12, sheet.quiet(), 12);
      return sheet.lines(1);
    case QuestionKind::number:
    case QuestionKind::marker:
      return sheet.lines(question.predict ? 2 : 1);
  }
}

// What is right, and what the teacher says to it.
void put_key(Sheet& sheet, const lesson::LessonStep& step, const lesson::Facts& facts) {
  for (const std::string& answer : lesson::right_answers(step, facts))
    sheet.words("→ " + without_ceilings(answer), Font::strong, 14, sheet.ink(), 12);
  const std::string then = lesson::filled_in(step.then.text, facts);
  if (!then.empty()) put_text(sheet, then);
  if (!step.notes.empty()) {
    sheet.words(sheet.own_words.for_teacher, Font::strong, 12, sheet.quiet());
    put_text(sheet, lesson::filled_in(step.notes.text, facts));
  }
}

// The source that the step speaks of, where its picture would tell too much. Without the comment that is
// WarpLens's own, but with the numbers that the lines have in the window.
void put_source(Sheet& sheet, const std::string& source) {
  std::vector<std::string> lines;
  uint32_t number = 0;
  for (const std::string_view line : lines_of(source)) {
    ++number;
    if (!line.starts_with("// warplens:") && !line.empty())
      lines.push_back(fmt::format("{:>3}  {}", number, line));
  }
  sheet.source(lines);
  sheet.space(8);
}

Result<void> put_step(Sheet& sheet, size_t number, const lesson::LessonStep& step, lesson::Stage& stage,
                      bool key, const std::stop_token& stop) {
  const auto staged = stage.set(step.show, stop);
  if (!staged) return bad_input(fmt::format("Step {}: {}", number, staged.error().message));
  const std::vector<std::string> hidden = step.show.hide.value_or(std::vector<std::string>{});
  const std::vector<std::string> unknown = key ? std::vector<std::string>{} : hidden;
  const lesson::Facts& facts = (*staged)->facts;
  // A picture would tell what the step hides.
  std::optional<Picture> picture = hidden.empty() || key ? worksheet_picture(**staged, stop) : std::nullopt;
  sheet.need(picture ? 560 : 160);
  sheet.words(fmt::format("{}  {}", number, step.title.text), Font::strong, 18, sheet.ink());
  sheet.space(4);
  const bool drawn = picture.has_value();
  put_text(sheet,
           on_paper(lesson::filled_in(step.text.text, facts, unknown), sheet.own_words.language, drawn));
  if (picture) sheet.picture(std::move(*picture));
  if (step.show.program)
    put_source(sheet, stage.text_of(*step.show.program));
  else if (!drawn && prints_source((*staged)->situation.view, unknown))
    put_source(sheet, (*staged)->kernel->source);
  for (const lesson::Question& question : step.questions)
    put_question(sheet, question, facts, unknown, number, drawn);
  if (key) {
    const auto solved =
        stage.set(with_changes(with_changes(step.show, step.solution.changes), step.reveal), stop);
    put_key(sheet, step, solved ? (*solved)->facts : facts);
  }
  sheet.rule();
  return {};
}

Result<void> make_worksheet(const WorksheetChoices& choices, Cli& cli) {
  const Result<lesson::Folder> folder = lesson_folder("lessons", choices.folder);
  if (!folder) return folder.error();
  speak(choices.language);
  const Result<lesson::Lesson> read = lesson_in(*folder, choices.language);
  if (!read) return read.error();
  if (!choices.out.ends_with(".pdf")) return bad_input("A worksheet is a PDF: --out sheet.pdf.");
  if (const Result<void> writable = check_writable(choices.out); !writable) return writable.error();
  const InterruptGuard interrupt(cli.stop);
  lesson::Stage stage(*folder, read->device, program_run::runs_given_programs());
  Sheet sheet(words_in(read->language));
  sheet.words(read->title + (choices.key ? fmt::format(" ({})", sheet.own_words.key) : ""), Font::strong, 26,
              sheet.ink());
  sheet.words(read->about, Font::words, 14, sheet.quiet());
  if (!choices.key) {
    sheet.space(10);
    sheet.words(sheet.own_words.name, Font::words, 13, sheet.quiet());
    sheet.lines(1);
  }
  sheet.rule();
  for (size_t i = 0; i < read->steps.size(); ++i)
    if (const Result<void> put =
            put_step(sheet, i + 1, read->steps[i], stage, choices.key, cli.stop.get_token());
        !put)
      return put.error();
  const std::vector<PaperPage> pages = sheet.finish("WarpLens · " + read->title);
  const Result<void> saved =
      write_with(choices.out, [&](const std::string& path) { return save_pdf(pages, read->title, path); });
  if (!saved) return saved.error();
  cli.out << fmt::format("{}: {} pages in {}.\n", read->title, pages.size(), choices.out);
  return {};
}

}  // namespace

CliCommand worksheet_command(Cli& cli) {
  const auto choices = std::make_shared<WorksheetChoices>();
  return {"worksheet",
          "Print a lesson's questions with their pictures and room for answers (PDF)",
          {{.name = "lesson",
            .value = &choices->folder,
            .help = "Name of a lesson (warplens lessons list), or its folder",
            .value_name = "LESSON",
            .required = true},
           {.name = "--out",
            .value = &choices->out,
            .help = "The PDF",
            .value_name = "SHEET.pdf",
            .required = true},
           {.name = "--key", .value = &choices->key, .help = "With answers and notes, for the teacher"},
           {.name = "--language",
            .value = &choices->language,
            .help = "Of lesson.LANGUAGE.md",
            .value_name = "de"}},
          [choices, &cli] { return make_worksheet(*choices, cli); }};
}

}  // namespace warplens
