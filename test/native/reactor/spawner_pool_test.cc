#include "reactor/spawner_pool.h"

#include <doctest/doctest.h>

#include <atomic>
#include <future>

namespace quiesce {

TEST_CASE("a job behind one that hangs is taken by another thread") {
  std::promise<void> release;
  std::shared_future<void> released(release.get_future());
  std::promise<void> done;
  {
    const StartGate gate;
    SpawnerPool pool(&gate);
    // More hanging jobs than regular threads would be needed on any machine with at most six processors.
    for (int i = 0; i < 3; ++i) {
      REQUIRE(pool.Submit([released](const ChildStack& /*stack*/) { released.wait(); }).ok());
    }
    REQUIRE(pool.Submit([&done](const ChildStack& /*stack*/) { done.set_value(); }).ok());
    CHECK(done.get_future().wait_for(std::chrono::seconds(10)) == std::future_status::ready);
    release.set_value();
  }
}

TEST_CASE("every job is run, in spite of the end of the pool") {
  std::atomic<int> count{0};
  {
    const StartGate gate;
    SpawnerPool pool(&gate);
    for (int i = 0; i < 1000; ++i) {
      REQUIRE(pool.Submit([&count](const ChildStack& /*stack*/) { ++count; }).ok());
    }
  }
  CHECK(count == 1000);
}

}  // namespace quiesce
