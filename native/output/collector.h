// One output stream of a command: its tail in memory, optionally its whole in a spill file. The reactor thread reads
// the pipe; any thread may look at what is kept.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "os/clock.h"
#include "os/unique_fd.h"
#include "output/ring.h"
#include "output/spill.h"

namespace quiesce {

struct OutputWindow {
  std::vector<uint8_t> bytes;
  uint64_t start = 0;         // absolute offset of the first of them
  uint64_t window_start = 0;  // absolute offset of the oldest byte that is kept
  bool ended = false;
  std::string spill_path;
};

class Collector {
 public:
  // `make_spill` is called at the first overflow; empty for a stream without spill.
  Collector(size_t max_bytes, uint64_t spill_max_bytes, std::function<std::shared_ptr<Spill>()> make_spill)
      : ring_(max_bytes), spill_max_bytes_(spill_max_bytes), make_spill_(std::move(make_spill)) {}

  // --- reactor thread ---

  // Takes the reading end of the pipe, non-blocking.
  void Attach(UniqueFd pipe) { pipe_ = std::move(pipe); }
  [[nodiscard]] int fd() const { return pipe_.get(); }

  // Reads what is there into `scratch` and keeps it, up to a bounded share, so that one flood does not starve others.
  void ReadTurn(std::span<uint8_t> scratch, TimePoint now);

  // Closes the pipe; the stream has ended. Remove it from epoll first.
  void End();

  [[nodiscard]] bool at_end() const { return at_end_; }  // ReadTurn has seen the end of the file
  [[nodiscard]] bool attached() const { return pipe_.valid(); }
  [[nodiscard]] bool congested() const { return spill_ != nullptr && spill_->congested(); }
  [[nodiscard]] bool spill_idle() const { return spill_ == nullptr || spill_->idle(); }
  [[nodiscard]] TimePoint last_data() const { return last_data_; }

  // --- any thread ---

  [[nodiscard]] OutputWindow ReadFrom(uint64_t offset) const;
  [[nodiscard]] uint64_t total() const;
  [[nodiscard]] bool ended() const;
  [[nodiscard]] std::optional<SysError> spill_error() const;
  [[nodiscard]] size_t allocated() const;

 private:
  void Keep(std::span<const uint8_t> bytes);
  void FeedSpill(std::span<const uint8_t> bytes);

  UniqueFd pipe_;
  bool at_end_ = false;
  TimePoint last_data_{};

  mutable std::mutex mutex_;
  Ring ring_;
  bool ended_ = false;
  const uint64_t spill_max_bytes_;
  const std::function<std::shared_ptr<Spill>()> make_spill_;
  std::shared_ptr<Spill> spill_;  // written by the reactor under the lock
  bool spill_over_ = false;       // over the cap: no file, now or later
};

}  // namespace quiesce
