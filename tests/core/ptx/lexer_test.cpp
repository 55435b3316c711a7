#include "core/ptx/lexer/lexer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace warplens::ptx {
namespace THIS_FILE {

std::string lex(std::string_view text) {
  Lexer lexer(text);
  std::string result;
  for (Token token = lexer.next(); token.kind != TokenKind::end; token = lexer.next()) {
    result +=
        std::string(1, "eiDnspb"[static_cast<size_t>(token.kind)]) + ":" + std::string(token.text) + " ";
  }
  return result;
}

TEST(PtxLexer, TakesInstructionsApart) {
  EXPECT_EQ(lex("@!%p1 ld.shared::cta.f32 %f1,[%r2+-4];"),
            "p:@ p:! i:%p1 i:ld D:.shared::cta D:.f32 i:%f1 p:, p:[ i:%r2 p:+ p:- n:4 p:] p:; ");
  EXPECT_EQ(lex("mov.u32 %r1,%tid.x;"), "i:mov D:.u32 i:%r1 p:, i:%tid D:.x p:; ");
  EXPECT_EQ(lex("$L__BB0_2: _ _ZN3fooE"), "i:$L__BB0_2 p:: i:_ i:_ZN3fooE ");
  EXPECT_EQ(lex("%r<40>"), "i:%r p:< n:40 p:> ");
  EXPECT_EQ(lex("tex.1d .m16n8k16"), "i:tex D:.1d D:.m16n8k16 ");
}

TEST(PtxLexer, KnowsNumbers) {
  EXPECT_EQ(lex("0 12 0x1FU 017 0b101U 0f3F800000 0d3FF0000000000000"),
            "n:0 n:12 n:0x1FU n:017 n:0b101U n:0f3F800000 n:0d3FF0000000000000 ");
  EXPECT_EQ(lex("1.5 1.5e-3 2e+4 -1.0 8.8"), "n:1.5 n:1.5e-3 n:2e+4 p:- n:1.0 n:8.8 ");
  EXPECT_EQ(lex("0xAe-3"), "n:0xAe p:- n:3 ");
}

TEST(PtxLexer, SkipsCommentsAndCountsLines) {
  Lexer lexer("// one\n/* two\n three */ a\n  b");
  const Token a = lexer.next();
  EXPECT_EQ(a.line, 3u);
  EXPECT_EQ(a.column, 11u);
  const Token b = lexer.next();
  EXPECT_EQ(b.line, 4u);
  EXPECT_EQ(b.column, 3u);
  EXPECT_EQ(lexer.next().kind, TokenKind::end);
  EXPECT_EQ(lexer.next().kind, TokenKind::end);
}

TEST(PtxLexer, ReportsWhatIsNoToken) {
  EXPECT_EQ(lex("a \"b"), "i:a b:\"b ");
  EXPECT_EQ(lex("a /* b"), "i:a b:/* b ");
  EXPECT_EQ(lex("a \x01\x02 b"), "i:a b:\x01\x02 i:b ");
  EXPECT_EQ(lex(std::string_view("a\0b", 3)), std::string("i:a b:\0 i:b ", 12));
  EXPECT_EQ(lex("\"a\\\"b\" c"), "s:\"a\\\"b\" i:c ");
  EXPECT_EQ(lex("\"a\\"), "b:\"a\\ ");
  EXPECT_EQ(lex("."), "b:. ");
}

}  // namespace THIS_FILE
}  // namespace warplens::ptx
