// An editor of the tests, which talks to a session in the same thread.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "app/debug/session.h"
#include "core/base/json/json_values.h"

namespace warplens::dap::test {

// What `warplens debug` opens.
OpenTarget open_as_the_program_does();

class Editor {
 public:
  Editor()
      : session(open_as_the_program_does(),
                [this](Json message) { received.push_back(std::move(message)); }) {}

  // Sends a request, and returns what comes until it is answered and done.
  std::vector<Json> send(const std::string& command, const Json& arguments = Json::object()) {
    received.clear();
    // As text, as an editor sends them: numbers have other types than those that are written in C++.
    session.handle({++m_seq, command, Json::parse(json_values::one_line(arguments))}, {});
    return received;
  }
  // The answer's body; an object with the key "refused" if it was refused.
  Json ask(const std::string& command, const Json& arguments = Json::object()) {
    for (const Json& message : send(command, arguments))
      if (message.value("type", "") == "response")
        return message.value("success", false) ? message.value("body", Json::object())
                                               : Json{{"refused", message.value("message", "")}};
    return nullptr;
  }
  // The last event of the name among what came; null if there is none.
  Json event(const std::string& name) const {
    Json found;
    for (const Json& message : received)
      if (message.value("event", "") == name) found = message.value("body", Json::object());
    return found;
  }
  void open(const Json& settings) {
    ask("initialize", {{"adapterID", "warplens"}});
    const Json answer = ask("launch", settings);
    if (answer.contains("refused")) throw std::runtime_error(answer["refused"].get<std::string>());
  }
  // The line of a thread's innermost frame.
  int line(int thread) {
    const Json stack = ask("stackTrace", {{"threadId", thread}});
    return stack["stackFrames"].empty() ? 0 : stack["stackFrames"][0].value("line", 0);
  }

  std::vector<Json> received;
  Session session;

 private:
  uint64_t m_seq = 0;
};

}  // namespace warplens::dap::test
