#include "app/debug/framing.h"

#include <gtest/gtest.h>

#include <sstream>

#include "app/debug/messages.h"

namespace warplens::dap {
namespace THIS_FILE {

std::string error_of(const std::string& text) {
  std::istringstream in(text);
  const auto frame = read_frame(in);
  return frame ? "" : frame.error().message;
}

TEST(DebugFraming, ReadsOneMessageAfterTheOther) {
  std::istringstream in(
      "Content-Length: 2\r\n\r\n{}Content-Type: x; charset=utf-8\r\ncontent-length:7\r\n\r\n{\"a\":1}");
  EXPECT_EQ(**read_frame(in), "{}");
  EXPECT_EQ(**read_frame(in), "{\"a\":1}");
  const auto end = read_frame(in);
  ASSERT_TRUE(end);
  EXPECT_FALSE(end->has_value());
}

TEST(DebugFraming, EndsWhereTheInputEnds) {
  for (const char* text : {"", "Content-Le", "Content-Length: 5\r\n", "Content-Length: 5\r\n\r\n{}"}) {
    std::istringstream in(text);
    const auto frame = read_frame(in);
    ASSERT_TRUE(frame) << text;
    EXPECT_FALSE(frame->has_value()) << text;
  }
}

TEST(DebugFraming, RefusesWhatIsNoMessage) {
  EXPECT_NE(error_of("GET / HTTP/1.1\r\n\r\n").find("no header of the Debug Adapter Protocol"),
            std::string::npos);
  EXPECT_NE(error_of("Host: localhost\r\n\r\n").find("no header"), std::string::npos);
  EXPECT_NE(error_of("Content-Length: x\r\n\r\n").find("no number"), std::string::npos);
  EXPECT_NE(error_of("Content-Length: -1\r\n\r\n").find("no number"), std::string::npos);
  EXPECT_NE(error_of("Content-Length: 99999999999\r\n\r\n").find("too long"), std::string::npos);
  EXPECT_NE(error_of(std::string(1000, 'x')).find("too long"), std::string::npos);
  std::string many;
  for (int i = 0; i < 100; ++i) many += "Content-Type: x\r\n";
  EXPECT_FALSE(error_of(many).empty());
}

TEST(DebugFraming, WritesTheLengthInBytes) {
  EXPECT_EQ(framed(Json{{"a", "ü"}}), "Content-Length: 10\r\n\r\n{\"a\":\"ü\"}");
}

TEST(DebugMessages, SaysWhatIsWrongWithARequest) {
  const auto error = [](const char* text) {
    const auto request = parse_request(text);
    return request ? std::string() : request.error().message;
  };
  EXPECT_NE(error("[]").find("must be an object"), std::string::npos);
  EXPECT_NE(error("{").find("message"), std::string::npos);
  EXPECT_NE(error(R"({"type": "request", "command": "x"})").find("seq"), std::string::npos);
  EXPECT_NE(error(R"({"seq": 1, "type": "request"})").find("command"), std::string::npos);
  EXPECT_NE(error(R"({"seq": 1, "type": "request", "command": "x", "arguments": 3})").find("arguments"),
            std::string::npos);
  const auto answer = parse_request(R"({"seq": 1, "type": "response", "request_seq": 3})");
  ASSERT_TRUE(answer);
  EXPECT_TRUE(answer->command.empty());
}

}  // namespace THIS_FILE
}  // namespace warplens::dap
