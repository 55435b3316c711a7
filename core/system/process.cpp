#include "core/system/process.h"

#include <algorithm>

namespace warplens {

Result<ProcessEnd> run_told(const HeardProgram& program, const std::function<void(std::string_view)>& line,
                            std::stop_token stop) {
  constexpr size_t most = size_t{1} << 20;
  std::string out, err;
  const auto heard = [&](ProgramStream stream, std::string_view piece) {
    std::string& text = stream == ProgramStream::out ? out : err;
    text.append(piece.substr(0, most - std::min(most, text.size())));
    if (stream == ProgramStream::err) return;
    for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
      line(std::string_view(text).substr(0, end));
      text.erase(0, end + 1);
    }
  };
  Result<ProcessEnd> end = run_heard(program, heard, std::move(stop));
  if (end) end->err = std::move(err);
  return end;
}

}  // namespace warplens
