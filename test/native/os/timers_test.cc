#include "os/timers.h"

#include <doctest/doctest.h>

#include <vector>

namespace quiesce {

namespace {

class TagList : public EventHandler {
 public:
  void OnReady(int /*tag*/) override {}
  void OnTimer(int tag) override { tags.push_back(tag); }
  std::vector<int> tags;
};

}  // namespace

TEST_CASE("timers run in the order of their time, and those of one time in the order they were set") {
  Timers timers;
  const auto list = std::make_shared<TagList>();
  const TimePoint start = Clock::now();
  (void)timers.Add(start + std::chrono::milliseconds(2), {list, 3});
  (void)timers.Add(start + std::chrono::milliseconds(1), {list, 1});
  (void)timers.Add(start + std::chrono::milliseconds(1), {list, 2});
  (void)timers.Add(start + std::chrono::hours(1), {list, 4});
  timers.RunDue(start + std::chrono::milliseconds(5));
  CHECK(list->tags == std::vector<int>{1, 2, 3});
}

TEST_CASE("a cancelled timer does not run, and cancelling one that ran does nothing") {
  Timers timers;
  const auto list = std::make_shared<TagList>();
  const TimePoint start = Clock::now();
  const uint64_t cancelled = timers.Add(start, {list, 1});
  const uint64_t run = timers.Add(start, {list, 2});
  timers.Cancel(cancelled);
  timers.RunDue(start);
  timers.Cancel(run);
  timers.RunDue(start);
  CHECK(list->tags == std::vector<int>{2});
}

TEST_CASE("after a clock that jumped a day ahead every timer that is due runs once, and the next waits its full time") {
  Timers timers;
  const auto list = std::make_shared<TagList>();
  const TimePoint start = Clock::now();
  for (int tag = 1; tag <= 3; ++tag) (void)timers.Add(start + std::chrono::hours(tag), {list, tag});
  const TimePoint after_jump = start + std::chrono::hours(24);
  timers.RunDue(after_jump);
  timers.RunDue(after_jump);
  CHECK(list->tags == std::vector<int>{1, 2, 3});
  (void)timers.Add(after_jump + std::chrono::milliseconds(7), {list, 4});
  CHECK(timers.NextDelay(after_jump) == 7);
}

TEST_CASE("the delay to the next timer is rounded up, never negative, and -1 without one") {
  Timers timers;
  const auto list = std::make_shared<TagList>();
  const TimePoint start = Clock::now();
  CHECK(timers.NextDelay(start) == -1);
  const uint64_t timer = timers.Add(start + std::chrono::microseconds(1500), {list, 1});
  CHECK(timers.NextDelay(start) == 2);
  CHECK(timers.NextDelay(start + std::chrono::seconds(1)) == 0);
  timers.Cancel(timer);
  (void)timers.Add(start + std::chrono::hours(24 * 365), {list, 1});
  CHECK(timers.NextDelay(start) == 60000);
}

}  // namespace quiesce
