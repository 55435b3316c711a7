#include "core/compile/served.h"

#include <gmock/gmock.h>

#include "core/system/server.h"

namespace warplens {
namespace THIS_FILE {
namespace {

using testing::HasSubstr;

TEST(ServedCompilation, HasWhatTheServerSays) {
  const auto served =
      parse_served(R"({"schema": 1, "ok": true, "compiler": "clang 14.0.6", "compile_ms": 61.5,
    "diagnostics": [{"severity": "warning", "file": "a.cu", "line": 3, "column": 7, "message": "unused variable 'x'"},
                    {"severity": "note", "file": "a.cu", "line": null, "column": null, "message": "of no line"}],
    "kernels": [{"entry": "add", "resources": {"registers_per_thread": 12, "shared_static_bytes": 64, "local_bytes": 8,
                 "spill_store_bytes": 4, "origin": "ptxas"}},
                {"entry": "unknown", "resources": {"registers_per_thread": null}}],
    "ptx": ".version 7.1\n"})");
  ASSERT_TRUE(served) << served.error().message;
  EXPECT_TRUE(served->compilation.ok);
  EXPECT_EQ(served->compilation.ptx, ".version 7.1\n");
  EXPECT_EQ(served->compilation.compiler, "clang 14.0.6");
  EXPECT_EQ(served->compilation.compile_ms, 61.5);
  ASSERT_EQ(served->compilation.diagnostics.size(), 2);
  const Diagnostic& first = served->compilation.diagnostics[0];
  EXPECT_EQ(first.severity, Severity::warning);
  EXPECT_EQ(first.line, 3);
  EXPECT_EQ(first.column, 7);
  EXPECT_EQ(served->compilation.diagnostics[1].line, 0);
  EXPECT_THAT(served->compilation.log, HasSubstr("unused variable"));
  ASSERT_EQ(served->entries.size(), 1);
  EXPECT_EQ(served->entries[0].first, "add");
  EXPECT_EQ(served->entries[0].second.registers_per_thread, 12);
  EXPECT_EQ(served->entries[0].second.shared_static_bytes, 64);
}

TEST(ServedCompilation, AWrongSourceHasNoPtx) {
  const auto served = parse_served(R"({"ok": false, "compiler": "clang 14.0.6", "ptx": null, "kernels": [],
    "diagnostics": [{"severity": "error", "file": "a.cu", "line": 2, "message": "expected ';'"}]})");
  ASSERT_TRUE(served) << served.error().message;
  EXPECT_FALSE(served->compilation.ok);
  EXPECT_EQ(served->compilation.diagnostics[0].severity, Severity::error);
}

TEST(ServedCompilation, WhatIsNoAnswerIsAnError) {
  EXPECT_EQ(parse_served(R"({"error": "Join the class first."})").error().message, "Join the class first.");
  for (const char* bad :
       {"", "[]", "null", "<html>", R"({"ok": true})", R"({"ok": 1, "compiler": "x"})",
        R"({"ok": true, "ptx": 5, "compiler": "x"})", R"({"ok": false, "compiler": "x", "diagnostics": [1]})",
        R"({"ok": false, "compiler": "x", "diagnostics": {}})"})
    EXPECT_FALSE(parse_served(bad)) << bad;
}

TEST(ServedCompilation, ThisProgramHasNoServer) {
  EXPECT_FALSE(has_server());
  EXPECT_EQ(ask_server("/api/compile", "{}").error().kind, ErrorKind::missing);
  EXPECT_FALSE(served_resources("", "add"));
}

}  // namespace
}  // namespace THIS_FILE
}  // namespace warplens
