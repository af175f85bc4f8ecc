// The host's side of its guardian: a small process that outlives the host for a moment when that is killed, and ends
// what the host would have ended. Started when there is something to guard, replaced when somebody kills it, gone with
// the runtime. It costs a command nothing but the look whether it is wanted.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>

#include "os/clock.h"
#include "os/event_handler.h"
#include "os/result.h"
#include "os/unique_fd.h"
#include "output/spill_folder.h"
#include "range/range.h"
#include "reactor/engine.h"

namespace quiesce {

class Guardian : public std::enable_shared_from_this<Guardian> {
 public:
  // On the reactor thread: no guardian could be had. The error is 0 for one that ended by itself.
  using Report = std::function<void(const SysError& error)>;

  // `program` is the path of quiesce-runner.
  Guardian(std::string program, std::shared_ptr<RangeSource> ranges, std::shared_ptr<SpillFolder> spill_folder,
           Report report)
      : program_(std::move(program)),
        ranges_(std::move(ranges)),
        spill_folder_(std::move(spill_folder)),
        report_(std::move(report)) {}

  // Any thread: whether Tend has something to do.
  [[nodiscard]] bool wanted() const {
    return lost_.load(std::memory_order_relaxed) ||
           ranges_->held_version() != told_version_.load(std::memory_order_relaxed);
  }

  // Starts one if there is none, and tells it what there is to guard. `engine` is borrowed until Retire. Runs on a
  // thread that may wait.
  void Tend(Engine* engine, const ChildStack& stack);

  // The same for spill files, which call for a guardian whatever the range.
  void TendSpillFolder(Engine* engine);

  // --- the host's thread, in this order ---

  // While the engine is there. None is started from now on.
  void Retire();
  // When all that it guarded has been removed. Blocks until it is gone.
  void Dismiss();

 private:
  class Watcher;

  [[nodiscard]] Status Start(Engine* engine, const ChildStack& stack);
  [[nodiscard]] Status TellFolder();
  void Fail(Engine* engine, const SysError& error);
  void OnEnd(Engine* engine, const Watcher* ended, const siginfo_t& end);

  const std::string program_;
  const std::shared_ptr<RangeSource> ranges_;
  const std::shared_ptr<SpillFolder> spill_folder_;
  const Report report_;
  std::atomic<bool> lost_{false};
  std::atomic<unsigned> told_version_{0};

  std::mutex mutex_;
  std::shared_ptr<Watcher> watcher_;  // null: there is none
  UniqueFd socket_;
  TimePoint next_start_ = TimePoint::min();
  bool retired_ = false;
};

}  // namespace quiesce
