#include "core/base/system/mailbox.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>

namespace warplens {
namespace THIS_FILE {

using namespace std::chrono_literals;

struct Order {
  int urgency = 0;
  std::string name;
  bool waits_for_stop = false;
};
using Box = Mailbox<Order, std::string>;

// Says each order's name, with a mark where it was stopped.
std::optional<std::string> work(const Order& order, const Box::Worker& worker) {
  while (order.waits_for_stop && !worker.stop.stop_requested()) std::this_thread::sleep_for(1ms);
  return order.name + (worker.stop.stop_requested() ? "!" : "");
}

template <class Condition>
bool comes(Condition condition) {
  for (int i = 0; i < 30000 && !condition(); ++i) std::this_thread::sleep_for(1ms);
  return condition();
}

std::vector<std::string> all_of(Box& box) {
  std::vector<std::string> all;
  EXPECT_TRUE(comes([&] {
    for (std::string& news : box.take()) all.push_back(std::move(news));
    return !box.busy();
  }));
  return all;
}

using Names = std::vector<std::string>;

// An order that runs until it is stopped; orders that are sent later wait for it.
void block(Box& box) {
  box.send({0, "first", true});
  EXPECT_TRUE(comes([&] {
    bool begun = false;
    box.take([&](const Order* at_work, auto, auto&) { begun = at_work != nullptr; });
    return begun;
  }));
}

// As in a web page.
TEST(Mailbox, WithoutAThreadOrdersAreDoneBetweenFrames) {
  const WithoutThreads without;
  const auto here = std::this_thread::get_id();
  int news = 0;
  Names done;
  {
    Box box(
        {.rank = [](const Order& order) { return order.urgency; },
         .must_be_done = [](const Order& order) { return order.name == "save"; }},
        [&](const Order& order, const Box::Worker& worker) {
          EXPECT_EQ(std::this_thread::get_id(), here);
          done.push_back(order.name);
          return work(order, worker);
        },
        [&] { ++news; });
    for (const Order& order : {Order{2, "late"}, Order{1, "soon"}}) box.send(order);
    EXPECT_EQ(done, Names());
    EXPECT_TRUE(box.busy());
    EXPECT_TRUE(work_between_frames());
    EXPECT_EQ(box.take(), Names{"soon"});
    EXPECT_TRUE(work_between_frames());
    EXPECT_FALSE(work_between_frames());
    EXPECT_EQ(box.take(), Names{"late"});
    EXPECT_EQ(news, 2);
    for (const Order& order : {Order{1, "forgotten"}, Order{1, "save"}}) box.send(order);
  }
  EXPECT_EQ(done, (Names{"soon", "late", "save"}));
  EXPECT_FALSE(work_between_frames());
}

TEST(Mailbox, WithoutThreadsEachMailboxHasItsTurn) {
  const WithoutThreads without;
  Names done;
  const auto say = [&](const Order& order, const Box::Worker&) -> std::optional<std::string> {
    done.push_back(order.name);
    return std::nullopt;
  };
  Box first({}, say, nullptr), second({}, say, nullptr);
  for (const char* name : {"a1", "a2"}) first.send({0, name});
  for (const char* name : {"b1", "b2"}) second.send({0, name});
  while (work_between_frames()) {
  }
  EXPECT_EQ(done, (Names{"a1", "b1", "a2", "b2"}));
}

TEST(Mailbox, TheMostUrgentOrderIsFirstAndElseTheOldest) {
  Box box({.rank = [](const Order& order) { return order.urgency; }}, work, nullptr);
  block(box);
  for (const Order& order : {Order{2, "late"}, Order{1, "soon"}, Order{1, "then"}}) box.send(order);
  box.cancel([](const Order& order) { return order.name == "first"; });
  EXPECT_EQ(all_of(box), (Names{"first!", "soon", "then", "late"}));
}

TEST(Mailbox, AnOrderReplacesThoseThatWaitAndStopsTheOneAtWork) {
  Box box(
      {.replaces = [](const Order& newer, const Order& waiting) { return newer.urgency == waiting.urgency; },
       .stops = [](const Order& newer, const Order&) { return newer.name == "c"; }},
      work, nullptr);
  block(box);
  for (const Order& order : {Order{1, "a"}, Order{2, "b"}, Order{1, "c"}}) box.send(order);
  EXPECT_EQ(all_of(box), (Names{"first!", "b", "c"}));
}

TEST(Mailbox, StopStillBeginsWhatWaitsAndCancelDoesNot) {
  Box box({}, work, nullptr);
  block(box);
  box.send({0, "waits"});
  box.stop();
  EXPECT_EQ(all_of(box), (Names{"first!", "waits!"}));
  block(box);
  box.send({0, "waits"});
  box.cancel([](const Order&) { return true; });
  EXPECT_EQ(all_of(box), (Names{"first!"}));
}

TEST(Mailbox, AWorkerGoesOnLaterButNotBehindACancelledOrder) {
  const auto never = [](const Order&) { return false; };
  const Box::Work goes_on = [&](const Order& order, const Box::Worker& worker) {
    auto said = work(order, worker);
    if (order.urgency > 0) worker.later({order.urgency - 1, order.name + "+"}, never);
    return said;
  };
  Box box({}, goes_on, nullptr);
  box.send({2, "a"});
  EXPECT_EQ(all_of(box), (Names{"a", "a+", "a++"}));
  box.send({1, "b", true});
  EXPECT_TRUE(comes([&] { return box.busy(); }));
  box.cancel([](const Order&) { return true; });
  for (const std::string& news : all_of(box)) EXPECT_EQ(news, "b!");
}

TEST(Mailbox, ClosingStopsAndForgetsButDoesWhatMustBeDone) {
  std::atomic<int> kept = 0, others = 0;
  {
    Box box(
        {.must_be_done = [](const Order& order) { return order.name == "save"; }},
        [&](const Order& order, const Box::Worker& worker) {
          (order.name == "save" ? kept : others)++;
          return work(order, worker);
        },
        nullptr);
    block(box);
    for (const Order& order : {Order{0, "save"}, Order{0, "run"}, Order{0, "save"}}) box.send(order);
  }
  EXPECT_EQ(kept, 2);
  EXPECT_EQ(others, 1) << "the one that was at work";
}

TEST(Mailbox, NewsThatAreOutOfDateAreNotTold) {
  std::atomic<int> woken = 0;
  Box box(
      {.outdates = [](const std::string& newer, const std::string& older) { return newer[0] == older[0]; }},
      [](const Order&, const Box::Worker& worker) -> std::optional<std::string> {
        for (const char* news : {"p1", "p2", "q1", "p3"}) worker.report(news);
        return std::nullopt;
      },
      [&] { ++woken; });
  box.send({});
  EXPECT_TRUE(comes([&] { return woken == 4; }));
  EXPECT_EQ(all_of(box), (Names{"q1", "p3"}));
}

}  // namespace THIS_FILE
}  // namespace warplens
