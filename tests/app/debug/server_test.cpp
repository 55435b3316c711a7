// A whole server with a client at the other end of a channel: pauses, clients that vanish, malformed input.
#include "app/debug/server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <istream>
#include <ostream>
#include <random>
#include <thread>

#include "app/debug/channel_stream.h"
#include "app/debug/framing.h"
#include "tests/app/debug/editor.h"
#include "tests/paths.h"

namespace warplens::dap {
namespace THIS_FILE {

using namespace std::chrono_literals;

std::string sums() { return (test_files::source_dir() / "tests/data/debug/sums.json").string(); }

// An editor that is at the other end of a channel.
class Client {
 public:
  explicit Client(Channel channel) : m_buffer(std::move(channel), m_over.get_token()) {}
  ~Client() { m_over.request_stop(); }
  void send_text(const std::string& text) { m_out << text << std::flush; }
  uint64_t send(const std::string& command, Json arguments = Json::object()) {
    send_text(
        framed({{"seq", ++m_seq}, {"type", "request"}, {"command", command}, {"arguments", arguments}}));
    return m_seq;
  }
  // The next message; null at the end.
  Json receive() {
    const auto frame = read_frame(m_in);
    return frame && *frame ? Json::parse(**frame) : Json();
  }
  Json until(const std::string& type, const std::string& name) {
    for (;;) {
      Json message = receive();
      if (message.is_null()) return message;
      if (message["type"] == type && message.value(type == "event" ? "event" : "command", "") == name)
        return message;
    }
  }

 private:
  std::stop_source m_over;
  ChannelBuffer m_buffer;
  std::istream m_in{&m_buffer};
  std::ostream m_out{&m_buffer};
  uint64_t m_seq = 0;
};

// A server on a thread of its own.
class Served {
 public:
  Served() {
    auto ends = Channel::make();
    EXPECT_TRUE(ends);
    client.emplace(std::move(ends->first));
    struct Wire {
      ChannelBuffer buffer;
      std::istream in{&buffer};
      explicit Wire(Channel channel) : buffer(std::move(channel), {}) {}
    };
    auto wire = std::make_shared<Wire>(std::move(ends->second));
    m_thread = std::jthread([this, wire] {
      std::ostream out(&wire->buffer);
      result =
          serve(std::shared_ptr<std::istream>(wire, &wire->in), out, test::open_as_the_program_does(), {});
      ended = true;
    });
  }
  ~Served() { client.reset(); }
  bool ends_within(std::chrono::seconds longest) const {
    const auto until = std::chrono::steady_clock::now() + longest;
    while (!ended && std::chrono::steady_clock::now() < until) std::this_thread::sleep_for(5ms);
    return ended;
  }
  std::optional<Client> client;
  std::atomic<bool> ended = false;
  Result<void> result;

 private:
  std::jthread m_thread;
};

void start_endless(Client& client) {
  client.send("initialize", {{"adapterID", "warplens"}});
  client.send("launch", {{"program", sums()}, {"entry", "endless"}, {"stopOnEntry", true}});
  client.send("setExceptionBreakpoints", {{"filters", Json::array()}});
  client.send("configurationDone");
  EXPECT_EQ(client.until("event", "stopped")["body"]["reason"], "entry");
  client.send("continue", {{"threadId", 1}});
  client.until("response", "continue");
}

TEST(DebugServer, PausesWhatRuns) {
  Served served;
  start_endless(*served.client);
  served.client->send("pause", {{"threadId", 1}});
  EXPECT_EQ(served.client->until("event", "stopped")["body"]["reason"], "pause");
  EXPECT_TRUE(served.client->until("response", "pause")["success"]);
  // What comes after runs again.
  served.client->send("next", {{"threadId", 1}});
  EXPECT_EQ(served.client->until("event", "stopped")["body"]["reason"], "step");
  served.client->send("continue", {{"threadId", 1}});
  served.client->until("response", "continue");
  served.client->send("disconnect");
  EXPECT_TRUE(served.client->until("response", "disconnect")["success"]);
  EXPECT_TRUE(served.ends_within(20s));
  EXPECT_TRUE(served.result);
}

TEST(DebugServer, EndsWhenItsClientVanishes) {
  Served served;
  start_endless(*served.client);
  served.client.reset();
  EXPECT_TRUE(served.ends_within(20s));
}

TEST(DebugServer, NumbersWhatItSends) {
  Served served;
  served.client->send("initialize", {{"adapterID", "warplens"}});
  served.client->send("threads");
  EXPECT_EQ(served.client->receive()["seq"], 1);
  EXPECT_EQ(served.client->receive()["seq"], 2);
}

TEST(DebugServer, SurvivesWrongMessagesAndLeavesAWrongProtocol) {
  Served served;
  for (const char* text :
       {"{", "[]", "{\"seq\": 1}", "null", "\"x\"", "{\"seq\": -1, \"type\": \"request\"}"}) {
    served.client->send_text("Content-Length: " + std::to_string(std::string(text).size()) + "\r\n\r\n" +
                             text);
    EXPECT_EQ(served.client->until("event", "output")["body"]["category"], "stderr") << text;
  }
  served.client->send("initialize", {{"adapterID", "warplens"}});
  EXPECT_TRUE(served.client->until("response", "initialize")["success"]);
  served.client->send_text("POST / HTTP/1.1\r\nHost: localhost\r\n\r\n");
  EXPECT_TRUE(served.ends_within(20s));
  ASSERT_FALSE(served.result);
  EXPECT_NE(served.result.error().message.find("Content-Length"), std::string::npos);
}

// Any arguments are answered: each request has one response, whatever it holds.
TEST(DebugSession, AnswersRandomRequestsOnce) {
  const char* const commands[] = {"initialize",
                                  "launch",
                                  "attach",
                                  "configurationDone",
                                  "setVariable",
                                  "setBreakpoints",
                                  "setFunctionBreakpoints",
                                  "setInstructionBreakpoints",
                                  "setExceptionBreakpoints",
                                  "dataBreakpointInfo",
                                  "setDataBreakpoints",
                                  "breakpointLocations",
                                  "continue",
                                  "reverseContinue",
                                  "next",
                                  "stepIn",
                                  "stepOut",
                                  "stepBack",
                                  "pause",
                                  "gotoTargets",
                                  "goto",
                                  "threads",
                                  "stackTrace",
                                  "scopes",
                                  "variables",
                                  "evaluate",
                                  "exceptionInfo",
                                  "source",
                                  "loadedSources",
                                  "disassemble",
                                  "nonsense"};
  const char* const keys[] = {"threadId",
                              "frameId",
                              "variablesReference",
                              "name",
                              "source",
                              "line",
                              "breakpoints",
                              "lines",
                              "filters",
                              "expression",
                              "context",
                              "start",
                              "count",
                              "granularity",
                              "memoryReference",
                              "instructionCount",
                              "instructionOffset",
                              "targetId",
                              "endLine",
                              "startFrame",
                              "levels",
                              "dataId",
                              "condition",
                              "hitCondition",
                              "logMessage"};
  const Json values[] = {0,
                         1,
                         7,
                         33,
                         4096,
                         4097,
                         -1,
                         1e300,
                         4294967295u,
                         "i",
                         "tile[3]",
                         "sums.cu",
                         "twice",
                         "0x5",
                         ":back",
                         ":reverse",
                         ":focus block 1",
                         ":lanes i",
                         ":writer tile[1]",
                         "instruction",
                         "> 3",
                         "step == 4",
                         "{i}",
                         "{",
                         "fault",
                         "shared 4 4 x",
                         "variable i",
                         nullptr,
                         true,
                         Json::array(),
                         Json::object(),
                         Json::array({1, "x"}),
                         "\xff"};
  std::mt19937 random(7);
  const auto pick = [&](const auto& list) -> const auto& { return list[random() % std::size(list)]; };
  const auto object = [&](auto self, int depth) -> Json {
    Json made = Json::object();
    for (uint32_t i = random() % 5; i > 0; --i) {
      const char* key = pick(keys);
      const uint32_t kind = random() % 6;
      made[key] = depth < 2 && kind == 0   ? self(self, depth + 1)
                  : depth < 2 && kind == 1 ? Json::array({self(self, depth + 1), self(self, depth + 1)})
                                           : pick(values);
    }
    return made;
  };
  for (int round = 0; round < 4; ++round) {
    test::Editor editor;
    editor.open({{"program", sums()}, {"stopOnEntry", true}});
    for (int i = 0; i < 300; ++i) {
      const std::string command = pick(commands);
      if (command == "launch" && editor.ask("threads").contains("threads")) continue;
      Json arguments = object(object, 0);
      int answers = 0;
      for (const Json& message : editor.send(command, arguments)) answers += message["type"] == "response";
      EXPECT_EQ(answers, 1) << command << " "
                            << arguments.dump(-1, ' ', false, Json::error_handler_t::replace);
    }
  }
}

// The limits are generous: docs/debug.md has what was measured.
TEST(DebugSession, IsQuick) {
  using Clock = std::chrono::steady_clock;
  test::Editor editor;
  editor.open({{"program", sums()}, {"grid", 100'000u}, {"stopOnEntry", true}});
  editor.ask("setExceptionBreakpoints", {{"filters", Json::array()}});
  editor.ask("setBreakpoints",
             {{"source", {{"name", "sums.cu"}}},
              {"breakpoints",
               Json::array({{{"line", 19}, {"condition", "blockIdx.x == 99999 && threadIdx.x == 40"}}})}});
  Clock::time_point begin = Clock::now();
  editor.send("configurationDone");
  editor.send("continue", {{"threadId", 1}});
  const Json stopped = editor.event("stopped");
  ASSERT_EQ(stopped["reason"], "breakpoint") << stopped;
  EXPECT_EQ(stopped["threadId"], 41);
  EXPECT_LT(Clock::now() - begin, 20s) << "a breakpoint in the 100,000th block";
  EXPECT_EQ(editor.ask("threads")["threads"].size(), 2u) << "those of one block, not of the grid";
  begin = Clock::now();
  constexpr int steps = 200;
  for (int i = 0; i < steps / 2; ++i) editor.send("stepBack", {{"threadId", 41}});
  for (int i = 0; i < steps / 2; ++i) {
    editor.send("stepIn", {{"threadId", 41}, {"granularity", "instruction"}});
    EXPECT_NE(editor.line(41), 0);
  }
  EXPECT_LT(Clock::now() - begin, 20s) << steps << " steps";
}

}  // namespace THIS_FILE
}  // namespace warplens::dap
