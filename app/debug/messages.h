// Messages of the Debug Adapter Protocol as values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/base/json/json.h"
#include "core/base/result.h"

namespace warplens::dap {

struct Request {
  uint64_t seq = 0;
  std::string command;
  Json arguments = Json::object();
};
// An Error says what is wrong with the text. A message that is no request (an answer of the editor) has an
// empty command.
Result<Request> parse_request(std::string_view text);

// Without the number `seq` of the message itself, which the sender adds.
Json response(const Request& request, Json body);
// The editor shows the sentence to the user.
Json refusal(const Request& request, std::string_view sentence);
Json event(std::string_view name, Json body);

}  // namespace warplens::dap
