// What the reactor has to tell JavaScript, until the event loop fetches it: any number of events for one wake-up.
#pragma once

#include <cstdint>
#include <mutex>
#include <utility>
#include <variant>
#include <vector>

#include "process/process_listener.h"

namespace quiesce {

struct Failed {
  SpawnFailure failure;
};
struct Quiescent {};
struct Unobservable {
  SysError error;
};

struct Event {
  uint64_t process_id;
  std::variant<Failed, Settlement, Quiescent, Unobservable> what;
};

class Outbox {
 public:
  // True if the event loop has to be woken: it does not know yet that something is here.
  bool Put(Event event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
    return events_.size() == 1;
  }

  std::vector<Event> TakeAll() {
    const std::lock_guard lock(mutex_);
    return std::exchange(events_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Event> events_;
};

}  // namespace quiesce
