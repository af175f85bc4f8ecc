// Pending timers in order of their time. EventLoop thread only.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "os/clock.h"
#include "os/event_handler.h"

namespace quiesce {

class Timers {
 public:
  struct Timer {
    std::shared_ptr<EventHandler> handler;
    int tag;
  };

  uint64_t Add(TimePoint when, Timer timer) {
    const uint64_t id = ++last_id_;
    order_.emplace(std::pair(when, id), std::move(timer));
    times_.emplace(id, when);
    return id;
  }

  // Unknown ids, those of timers that have fired included, are ignored.
  void Cancel(uint64_t id) {
    const auto found = times_.find(id);
    if (found == times_.end()) return;
    order_.erase(std::pair(found->second, id));
    times_.erase(found);
  }

  // Runs everything that is due at `now`, in order; timers that are added meanwhile wait for the next call.
  void RunDue(TimePoint now) {
    const uint64_t newest = last_id_;
    for (auto next = order_.begin(); next != order_.end() && next->first.first <= now; next = order_.begin()) {
      if (next->first.second > newest) return;
      const Timer timer = std::move(next->second);
      times_.erase(next->first.second);
      order_.erase(next);
      timer.handler->OnTimer(timer.tag);
    }
  }

  // Milliseconds until the next one is due, rounded up; -1 for none.
  [[nodiscard]] int NextDelay(TimePoint now) const {
    if (order_.empty()) return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(order_.begin()->first.first - now).count();
    constexpr int64_t kLongest = 60'000;  // epoll_wait takes an int; a longer wait is made of several
    return static_cast<int>(left < 0 ? 0 : (left > kLongest ? kLongest : left));
  }

 private:
  uint64_t last_id_ = 0;
  std::map<std::pair<TimePoint, uint64_t>, Timer> order_;
  std::unordered_map<uint64_t, TimePoint> times_;
};

}  // namespace quiesce
