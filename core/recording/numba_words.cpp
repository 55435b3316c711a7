#include "core/recording/numba_words.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <vector>

#include "core/base/text.h"
#include "core/recording/launch_source.h"

namespace warplens::recording {

namespace {

struct Words {
  std::string_view cpp, numba;
};
constexpr std::array numba_words = {
    Words{"__syncthreads()", "cuda.syncthreads()"},
    Words{"__syncwarp()", "cuda.syncwarp()"},
    Words{"__threadfence_block()", "cuda.threadfence_block()"},
    Words{"__threadfence()", "cuda.threadfence()"},
    Words{"grid.sync()", "cuda.cg.this_grid().sync()"},
    Words{"atomicAdd()", "cuda.atomic.add"},
    Words{"atomicSub()", "cuda.atomic.sub"},
    Words{"atomicMax()", "cuda.atomic.max"},
    Words{"atomicMin()", "cuda.atomic.min"},
    Words{"atomicAnd()", "cuda.atomic.and_"},
    Words{"atomicOr()", "cuda.atomic.or_"},
    Words{"atomicXor()", "cuda.atomic.xor"},
    Words{"atomicExch()", "cuda.atomic.exch"},
    Words{"atomicInc()", "cuda.atomic.inc"},
    Words{"atomicDec()", "cuda.atomic.dec"},
    Words{"atomicCAS()", "cuda.atomic.cas"},
    Words{"if (i < n)", "if i < n:"},
    Words{"with cudaMemset before the launch: allocated memory",
          "before the launch, as with cuda.to_device(np.zeros(…)): cuda.device_array"},
    Words{"Copy data to it, or cudaMemset it, before the launch: allocated memory",
          "Copy data to it, as with cuda.to_device(…), before the launch: cuda.device_array"},
    Words{"set it before the launch, as with cudaMemset,",
          "set it before the launch, as with cuda.to_device(np.zeros(…)),"},
};

constexpr std::string_view shared_name = "_cudapy_smem";

size_t indent_of(const std::string& line) { return std::min(line.find_first_not_of(" \t"), line.size()); }
bool is_blank(const std::string& line) { return indent_of(line) == line.size(); }
bool begins_function(const std::string& line) {
  return std::string_view(line).substr(indent_of(line)).starts_with("def ");
}

// The name on the left of `NAME = cuda.shared.array(…)`; empty for any other line.
std::string shared_array_of(const std::string& line) {
  const size_t call = line.find("shared.array(");
  const size_t equals = line.find('=');
  if (call == line.npos || equals > call || line.find('#') < call) return {};
  std::string name = line.substr(indent_of(line), equals - indent_of(line));
  while (!name.empty() && name.back() == ' ') name.pop_back();
  const bool is_name = std::ranges::all_of(name, is_in_name);
  return is_name ? name : std::string();
}

// The shared arrays of the function that has this line, in the order of the text.
std::vector<std::string> shared_arrays(const std::vector<std::string>& lines, uint32_t line) {
  std::vector<std::string> names;
  if (line == 0 || line > lines.size()) return names;
  size_t first = line - 1;
  while (first > 0 &&
         !(begins_function(lines[first]) && indent_of(lines[first]) < indent_of(lines[line - 1])))
    --first;
  for (size_t i = first + 1; i < lines.size(); ++i) {
    if (!is_blank(lines[i]) && indent_of(lines[i]) <= indent_of(lines[first])) break;
    if (std::string name = shared_array_of(lines[i]); !name.empty()) names.push_back(std::move(name));
  }
  return names;
}

// Numba numbers the arrays of a kernel from 1, and those of functions that it calls too: with several arrays
// in this function, a larger number may be any of them.
std::string name_for(const std::string& number, const std::vector<std::string>& names) {
  if (names.size() == 1) return names.front();
  const size_t index = static_cast<size_t>(std::strtoull(number.c_str(), nullptr, 10));
  return index >= 1 && index <= names.size() ? names[index - 1] : "a shared array";
}

}  // namespace

std::string in_numba_words(std::string sentence, const std::string& file, uint32_t line) {
  for (const Words& row : numba_words) sentence = replace_all(std::move(sentence), row.cpp, row.numba);
  size_t at = sentence.find(shared_name);
  if (at == sentence.npos) return sentence;
  const std::vector<std::string> names = shared_arrays(read_lines(file).lines, line);
  for (; at != sentence.npos; at = sentence.find(shared_name, at)) {
    size_t end = at + shared_name.size();
    std::string number;
    if (end < sentence.size() && sentence[end] == '_') {
      while (++end < sentence.size() && std::isdigit(static_cast<unsigned char>(sentence[end])) != 0)
        number += sentence[end];
    }
    const std::string name = name_for(number, names);
    sentence.replace(at, end - at, name);
    at += name.size();
  }
  return sentence;
}

}  // namespace warplens::recording
