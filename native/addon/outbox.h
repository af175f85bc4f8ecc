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
// Of a runtime.
struct Unguarded {
  SysError error;
};
// Of a command in a terminal.
struct Started {};
struct Readable {};
struct Written {
  uint64_t count;
};

struct Event {
  uint64_t process_id;  // or that of a runtime
  std::variant<Failed, Settlement, Quiescent, Unobservable, Unguarded, Started, Readable, Written> what;
};

class Outbox {
 public:
  void Put(Event event) {
    const std::lock_guard lock(mutex_);
    events_.push_back(std::move(event));
  }

  // True if the event loop has to be woken: something is here that it was not yet told of.
  bool Announce() {
    const std::lock_guard lock(mutex_);
    return !events_.empty() && !std::exchange(announced_, true);
  }

  std::vector<Event> TakeAll() {
    const std::lock_guard lock(mutex_);
    announced_ = false;
    return std::exchange(events_, {});
  }

 private:
  std::mutex mutex_;
  std::vector<Event> events_;
  bool announced_ = false;
};

}  // namespace quiesce
