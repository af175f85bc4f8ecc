// Holds starts back while the processors have more to do already than they can share well: many short commands at once
// finish sooner, and leave the host's event loop alone, when they are started as others end. Commands that only wait do
// not count, and nobody is held back for long: whoever starts a thousand servers gets them.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>

#include "os/clock.h"
#include "os/unique_fd.h"

namespace quiesce {

// Processes that run or want to, from the text of /proc/loadavg; 0 if it says something else.
size_t ParseRunnable(std::string_view loadavg);

class StartGate {
 public:
  StartGate();
  // With a file in the place of /proc/loadavg, and how many commands are few.
  StartGate(UniqueFd loadavg, size_t few) : loadavg_(std::move(loadavg)), few_(few) {}

  // --- a spawner thread ---

  // Whether the next command had better wait.
  [[nodiscard]] bool IsCrowded() const;
  // Returns when a command has ended (then true), when it is no longer crowded, or when the longest time is over.
  bool WaitForRoom() const;

  // --- any thread ---

  // A command has been started; it has ended.
  void Enter();
  void Leave();

 private:
  [[nodiscard]] bool IsCrowdedNow() const;

  const UniqueFd loadavg_;
  const size_t few_;
  mutable std::mutex mutex_;
  mutable std::condition_variable room_;
  size_t live_ = 0;
  uint64_t departures_ = 0;
};

}  // namespace quiesce
