// One command from request to rest. Its facts are kept apart: the direct command has exited (exit_), its streams have
// settled (settled_), its range is proven empty (quiescent_). All of it changes on the reactor thread alone; the
// spawner thread only makes the clone, and other threads see what is published under a lock.
#pragma once

#include <array>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <variant>

#include "os/clock.h"
#include "os/event_loop.h"
#include "output/collector.h"
#include "process/input_stream.h"
#include "process/output_stream.h"
#include "process/process_listener.h"
#include "process/services.h"
#include "range/exit_facts.h"
#include "range/range.h"
#include "spawn/spawn.h"
#include "terminal/terminal.h"

namespace quiesce {

class Process : public EventHandler, public std::enable_shared_from_this<Process> {
 public:
  // `listener` is borrowed and outlives every process. `terminal` is the host's end of the one in the request; null if
  // there is none.
  Process(uint64_t id, SpawnRequest request, Services services, ProcessListener* listener,
          std::shared_ptr<Terminal> terminal = nullptr);
  ~Process() override = default;

  // --- any thread ---

  [[nodiscard]] uint64_t id() const { return id_; }
  // Waits until the start is known; -1 if it failed.
  [[nodiscard]] pid_t pid() const;
  [[nodiscard]] Cause cause() const { return cause_.load(); }
  // What the last failure was about.
  [[nodiscard]] SysError trouble() const;
  // Null for a stream that is not collected.
  [[nodiscard]] const std::shared_ptr<Collector>& output() const { return collectors_[0]; }
  [[nodiscard]] const std::shared_ptr<Collector>& error() const { return collectors_[1]; }

  // Whether it can no longer have a process.
  [[nodiscard]] bool at_rest() const { return at_rest_.load(); }
  // Instead of Start: the command will not be started.
  void FailStart(SpawnFailure failure);

  // --- a spawner thread ---

  // Clones. `closed` becomes true when the runtime no longer wants commands to start.
  void Start(const ChildStack& stack, const std::atomic<bool>& closed);

  // --- reactor thread ---

  // Ends the range with TERM, grace and KILL.
  void Terminate(Cause cause);
  // Ends the range with KILL at once.
  void Kill();
  // Gives up the streams that somebody outside the range still holds.
  void CloseStreams();
  void OnReady(int tag) override;
  void OnTimer(int tag) override;

 private:
  enum class Ladder : uint8_t { kIdle, kTerminating, kKilling };

  struct Running;

  void PublishPid(pid_t pid);
  void PublishTrouble(SysError trouble);
  void Adopt(Running* running);
  void Fail(const SpawnFailure& failure);
  void OnExit();
  void CheckRange();
  void WatchRange();
  void EnterQuiescent();
  void EnterTerminating();
  void EnterKilling();
  void SignalDirect(int signal_number);
  void HangUp();
  void OnDeadline();
  void TrySettle();
  void Settle();
  // When the streams count as settled although somebody still holds them; time_point::min() for "now".
  [[nodiscard]] TimePoint StreamsSettleAt() const;
  void TryFinish();
  void SetTimer(uint64_t* timer, TimePoint when, int tag);
  void ClearTimer(uint64_t* timer);
  void PollUnwatched();
  void PollEverything();

  const uint64_t id_;
  SpawnRequest request_;  // the spawner thread's until the command is adopted
  const Services services_;
  EventLoop* const loop_;
  ProcessListener* const listener_;
  const std::shared_ptr<Terminal> terminal_;
  const TimePoint requested_at_ = Clock::now();
  std::array<std::shared_ptr<Collector>, 2> collectors_;

  mutable std::mutex mutex_;
  mutable std::condition_variable started_;
  std::optional<pid_t> pid_;
  SysError trouble_;
  std::atomic<Cause> cause_{Cause::kNone};
  std::atomic<bool> at_rest_{false};
  std::atomic<bool> end_wanted_{false};  // asked to end before it was adopted

  // EventLoop thread from here on.
  std::unique_ptr<Range> range_;  // null before the start and once it is empty
  UniqueFd pidfd_;
  TimePoint started_at_{};
  uint64_t host_peak_rss_bytes_ = 0;
  TimePoint exited_at_{};
  std::optional<ExitFacts> exit_;
  TreeUsage tree_usage_;  // once the range is empty
  std::array<std::optional<OutputStream>, 2> streams_;
  InputStream input_;
  Ladder ladder_ = Ladder::kIdle;
  bool ladder_wanted_ = false;  // asked to end before it was started
  bool kill_wanted_ = false;
  bool unkillable_ = false;
  bool adopted_ = false;
  bool streams_unwanted_ = false;  // given up before it was adopted
  bool failed_ = false;
  bool unobservable_told_ = false;
  bool settled_ = false;
  bool quiescent_ = false;
  bool drain_over_ = false;  // do not wait for held streams any longer
  bool finished_ = false;
  int range_checks_ = 0;
  int kill_rounds_ = 0;
  uint64_t pidfd_watch_ = 0;
  uint64_t range_watch_ = 0;
  uint64_t deadline_timer_ = 0;
  uint64_t ladder_timer_ = 0;
  uint64_t range_timer_ = 0;
  uint64_t settle_timer_ = 0;
  uint64_t unkillable_timer_ = 0;
  uint64_t poll_timer_ = 0;
};

}  // namespace quiesce
