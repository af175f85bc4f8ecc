#include "os/event_loop.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <vector>

#include "os/file.h"

namespace quiesce {

namespace {

constexpr std::chrono::seconds kPatience{10};

class Waiting : public EventHandler {
 public:
  void OnReady(int tag) override { Note(tag); }
  void OnTimer(int tag) override { Note(100 + tag); }

  void Note(int tag) {
    const std::lock_guard lock(mutex_);
    tags_.push_back(tag);
    changed_.notify_all();
  }

  bool Wait(int tag) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience,
                             [&] { return std::find(tags_.begin(), tags_.end(), tag) != tags_.end(); });
  }

  bool Has(int tag) {
    const std::lock_guard lock(mutex_);
    return std::find(tags_.begin(), tags_.end(), tag) != tags_.end();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<int> tags_;
};

struct LoopFixture {
  LoopFixture() : loop(std::move(EventLoop::Start().value())), pipe(std::move(MakePipe().value())) {}

  std::unique_ptr<EventLoop> loop;
  Pipe pipe;
  std::shared_ptr<Waiting> waiting = std::make_shared<Waiting>();
};

}  // namespace

TEST_CASE("what runs after each round runs once for all that was posted before") {
  LoopFixture fixture;
  std::vector<int> seen;
  int tasks = 0;
  fixture.loop->AfterEachRound([&] { seen.push_back(tasks); });
  fixture.loop->Post([&] {
    // All three are handled in the next round.
    for (int i = 0; i < 3; ++i) fixture.loop->Post([&] { ++tasks; });
    fixture.loop->Post([&] { fixture.waiting->Note(1); });
  });
  REQUIRE(fixture.waiting->Wait(1));
  fixture.loop.reset();
  CHECK(std::find(seen.begin(), seen.end(), 0) != seen.end());
  CHECK(std::find(seen.begin(), seen.end(), 1) == seen.end());
  CHECK(std::find(seen.begin(), seen.end(), 2) == seen.end());
  CHECK(seen.back() == 3);
}

TEST_CASE("posted tasks run in the order of the calls, also those that are posted right before the end") {
  std::vector<int> order;
  {
    LoopFixture fixture;
    for (int i = 0; i < 100; ++i) {
      fixture.loop->Post([&order, i] { order.push_back(i); });
    }
  }
  REQUIRE(order.size() == 100);
  for (int i = 0; i < 100; ++i) CHECK(order[static_cast<size_t>(i)] == i);
}

TEST_CASE("a task that wakes nobody runs before the first event that it brings the handler for") {
  LoopFixture fixture;
  EventLoop::EarlyWatch early[] = {{fixture.pipe.reader.get(), EPOLLIN, 0}};
  fixture.loop->PostWithWatches(early, TimePoint::max(), [&] {
    fixture.waiting->Note(1);
    fixture.loop->Attach(early[0], fixture.waiting, 2);
  });
  REQUIRE(write(fixture.pipe.writer.get(), "x", 1) == 1);
  CHECK(fixture.waiting->Wait(1));
  CHECK(fixture.waiting->Wait(2));
  fixture.loop->Post([&] {
    fixture.loop->Unwatch(early[0].watch);
    fixture.waiting->Note(3);
  });
  CHECK(fixture.waiting->Wait(3));
}

TEST_CASE("a task that wakes nobody runs at the latest when it must") {
  LoopFixture fixture;
  fixture.loop->PostWithWatches({}, Clock::now() + std::chrono::milliseconds(20), [&] { fixture.waiting->Note(1); });
  CHECK(fixture.waiting->Wait(1));
}

TEST_CASE("a descriptor that epoll refuses gets no watch, and its task runs nevertheless") {
  LoopFixture fixture;
  const UniqueFd file(open("/etc/passwd", O_RDONLY | O_CLOEXEC));
  EventLoop::EarlyWatch early[] = {{file.get(), EPOLLIN, 99}};
  fixture.loop->PostWithWatches(early, TimePoint::max(), [&] { fixture.waiting->Note(1); });
  CHECK(fixture.waiting->Wait(1));
  CHECK(early[0].watch == 0);
}

TEST_CASE("a timer runs and a cancelled one does not") {
  LoopFixture fixture;
  fixture.loop->Post([&] {
    const uint64_t cancelled = fixture.loop->At(Clock::now() + std::chrono::milliseconds(5), fixture.waiting, 1);
    (void)fixture.loop->At(Clock::now() + std::chrono::milliseconds(10), fixture.waiting, 2);
    fixture.loop->Cancel(cancelled);
  });
  CHECK(fixture.waiting->Wait(102));
  CHECK_FALSE(fixture.waiting->Has(101));
}

}  // namespace quiesce
