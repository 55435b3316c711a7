#include "app/cli/run/run_page.h"

#include <fmt/format.h>

#include "app/base/draw/save_picture.h"
#include "app/base/html.h"
#include "app/views/model/code_lines.h"
#include "app/views/renderings.h"
#include "core/base/system/embedded.h"
#include "core/base/system/files.h"
#include "core/device/device.h"
#include "core/job/report/report.h"
#include "warplens_config.h"

namespace warplens {

namespace {

RenderChoice page_choice() {
  RenderChoice choice;
  choice.theme = Theme::light;
  choice.width = 1000;
  choice.height = 560;
  return choice;
}

// Each picture is an image of its own, since names in one SVG would clash with those in another.
std::string image_address(std::string_view svg) {
  std::string address = "data:image/svg+xml,";
  for (const char c : svg) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain =
        byte > 0x20 && byte < 0x7f && std::string_view("\"#%&'<>`").find(c) == std::string_view::npos;
    if (plain || c == ' ')
      address += c;
    else
      address += fmt::format("%{:02X}", byte);
  }
  return address;
}

// A line without an indent after an empty one begins a section.
std::string report_html(std::string_view report) {
  std::string html = "<pre>";
  bool after_empty = false;
  for (const std::string_view line : lines_of(report)) {
    if (after_empty && !line.empty() && line.front() != ' ')
      html += fmt::format("</pre>\n<h2>{}</h2>\n<pre>", html_escaped(line));
    else if (!line.empty())
      html += html_escaped(line) + "\n";
    after_empty = line.empty();
  }
  return html + "</pre>\n";
}

Result<void> save(const Result<std::string>& page, const std::string& path) {
  return page ? write_text(path, *page) : Result<void>(page.error());
}

}  // namespace

Result<std::string> run_page(std::string_view title, std::string_view report,
                             const std::vector<RunPicture>& pictures) {
  const std::string name = html_escaped(title);
  std::string html = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width\">\n<title>{} – "
      "WarpLens</title>\n<style>\n{}</style>\n"
      "</head>\n<body>\n<h1>{}</h1>\n",
      name, find_embedded("run/page.css"), name);
  html += report_html(report);
  if (!pictures.empty()) html += "<h2>Pictures</h2>\n";
  for (const RunPicture& one : pictures) {
    const Result<std::string> svg = svg_text(one.picture);
    if (!svg) return svg.error();
    html += fmt::format("<figure><figcaption>{0}</figcaption><img alt=\"{0}\" src=\"{1}\"></figure>\n",
                        html_escaped(one.name), image_address(*svg));
  }
  return html + fmt::format("<footer>Made by WarpLens {}.</footer>\n</body>\n</html>\n", config::version);
}

Result<void> save_run_page(const Job& job, const RunResult& result, const std::string& path) {
  const bool ran = result.status != RunStatus::refused && result.status != RunStatus::cancelled;
  std::vector<RunPicture> pictures;
  if (ran && draws_into_files()) pictures = pictures_of_run(page_choice(), job, result);
  return save(run_page(job.request->kernel, report_text(result), pictures), path);
}

Result<void> save_program_page(const recording::Recording& recording, std::string_view name,
                               std::string_view summary, const std::string& path) {
  std::vector<RunPicture> pictures;
  const Result<Device> device = find_device(recording.device);
  const std::string on = recording.times() == Provenance::measured ? recording.device_name
                         : device                                  ? device->name + " · virtual"
                                                                   : recording.device;
  if (draws_into_files())
    for (const Rendering& rendering : all_renderings())
      if (rendering.needs == RenderNeeds::recording) {
        const RenderChoice choice = page_choice();
        const Rendered rendered = rendering.make(choice, {.recording = &recording});
        pictures.push_back({rendering.name, framed_picture(choice, std::string(name), on, rendered.draw)});
      }
  return save(run_page(name, summary, pictures), path);
}

}  // namespace warplens
