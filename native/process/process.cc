#include "process/process.h"

#include <sys/epoll.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

#include "os/sys.h"

namespace quiesce {

namespace {

enum ReadyTag : int { kOutputReady, kErrorReady, kInputReady, kPidfdReady, kRangeReady };
enum TimerTag : int { kDeadlineTimer, kLadderTimer, kRangeTimer, kSettleTimer, kUnkillableTimer, kPollTimer };

// A leftover that holds a stream and says nothing for this long after the exit no longer delays the result.
constexpr std::chrono::milliseconds kSilence{100};
// cgroup.events notifies at most once in 10 ms, so the first looks do not wait for it.
constexpr std::chrono::milliseconds kFirstRangePause{1};
constexpr int kRangeLooks = 4;
// Without anything to wait for: DESIGN's 15 ms, growing to half a second.
constexpr std::chrono::milliseconds kRangePoll{15};
constexpr int kRangePollDoublings = 5;
// KILL is repeated until the range is empty, ever more rarely.
constexpr std::chrono::milliseconds kKillPause{50};
constexpr int kKillDoublings = 5;
// Where epoll refuses a descriptor everything is polled.
constexpr std::chrono::milliseconds kPollPause{10};

constexpr const char* kStreamNames[] = {"stdout", "stderr"};

// The descriptors of a command that are watched from its start: what comes first decides the place in the array.
enum EarlyPlace : size_t { kPidfdPlace, kOutputPlace, kErrorPlace, kInputPlace, kPlaces };

}  // namespace

// What a spawner thread hands to the reactor.
struct Process::Running {
  Spawned spawned;
  std::unique_ptr<Range> range;
  std::array<EventLoop::EarlyWatch, kPlaces> early;
};

Process::Process(uint64_t id, SpawnRequest request, Services services, ProcessListener* listener)
    : id_(id),
      request_(std::move(request)),
      services_(std::move(services)),
      loop_(services_.loop),
      listener_(listener),
      input_(loop_) {
  const OutputRequest* outputs[] = {&request_.output, &request_.error};
  for (size_t i = 0; i < collectors_.size(); ++i) {
    if (outputs[i]->mode != StreamMode::kCollect) continue;
    const CollectLimits limits = outputs[i]->collect;
    collectors_[i] = std::make_shared<Collector>(limits.max_bytes, limits.spill_max_bytes, [this, i] {
      // The spill thread may outlive this object by a moment.
      auto drained = [weak = weak_from_this(), loop = loop_] {
        loop->Post([weak] {
          const auto self = weak.lock();
          if (self == nullptr) return;
          for (auto& stream : self->streams_) {
            if (stream.has_value()) stream->Resume();
          }
          self->TrySettle();
        });
      };
      return std::make_shared<Spill>(services_.spill_thread, services_.spill_folder, kStreamNames[i], drained);
    });
  }
}

pid_t Process::pid() const {
  std::unique_lock lock(mutex_);
  started_.wait(lock, [this] { return pid_.has_value(); });
  return *pid_;
}

void Process::PublishPid(pid_t pid) {
  {
    const std::lock_guard lock(mutex_);
    pid_ = pid;
  }
  started_.notify_all();
}

SysError Process::trouble() const {
  const std::lock_guard lock(mutex_);
  return trouble_;
}

void Process::PublishTrouble(SysError trouble) {
  const std::lock_guard lock(mutex_);
  trouble_ = std::move(trouble);
}

void Process::Start(const ChildStack& stack, const std::atomic<bool>& closed) {
  if (closed.load()) return FailStart({SpawnStage::kClone, ECANCELED, {}});
  auto range = services_.ranges->Acquire();
  if (!range.ok()) return FailStart({SpawnStage::kRange, range.error().number, range.error().path});
  auto spawned = Spawn(&request_, range.value()->cgroup(), services_.null_device, stack);
  if (auto* failure = std::get_if<SpawnFailure>(&spawned)) {
    services_.ranges->Release(std::move(range.value()));
    return FailStart(std::move(*failure));
  }
  auto running =
      std::make_shared<Running>(Running{std::move(std::get<Spawned>(spawned)), std::move(range.value()), {}});
  const HostStreams& streams = running->spawned.streams;
  running->early[kPidfdPlace] = {running->spawned.child.pidfd.get(), EPOLLIN, 0};
  running->early[kOutputPlace] = {streams.output.get(), EPOLLIN, 0};
  running->early[kErrorPlace] = {streams.error.get(), EPOLLIN, 0};
  running->early[kInputPlace] = {streams.input.get(), EPOLLOUT, 0};
  PublishPid(running->spawned.child.pid);
  const TimePoint latest = request_.deadline.has_value() ? After(requested_at_, *request_.deadline) : TimePoint::max();
  loop_->PostWithWatches(running->early, latest, [self = shared_from_this(), running] { self->Adopt(running.get()); });
  // Who asked for its end before it was adopted may have done so unseen, and no event need ever come.
  if (end_wanted_.load()) loop_->Post([] {});
}

void Process::FailStart(SpawnFailure failure) {
  PublishPid(-1);
  loop_->Post([self = shared_from_this(), failure = std::move(failure)] { self->Fail(failure); });
}

void Process::Fail(const SpawnFailure& failure) {
  failed_ = true;
  quiescent_ = true;
  at_rest_.store(true);
  for (const auto& collector : collectors_) {
    if (collector != nullptr) collector->End();
  }
  PublishTrouble({failure.error, "spawn", failure.path});
  listener_->OnFailed(*this, failure);
  TryFinish();
}

void Process::Adopt(Running* running) {
  adopted_ = true;
  request_.argv = {};
  request_.environment = {};
  Spawned& spawned = running->spawned;
  started_at_ = spawned.started_at;
  host_peak_rss_bytes_ = spawned.host_peak_rss_bytes;
  range_ = std::move(running->range);
  pidfd_ = std::move(spawned.child.pidfd);
  range_->Started(spawned.child.pid, pidfd_.get());
  const auto self = shared_from_this();
  const auto& early = running->early;
  pidfd_watch_ = early[kPidfdPlace].watch;
  loop_->Attach(early[kPidfdPlace], self, kPidfdReady);
  UniqueFd* pipes[] = {&spawned.streams.output, &spawned.streams.error};
  for (size_t i = 0; i < streams_.size(); ++i) {
    if (collectors_[i] == nullptr) continue;
    streams_[i].emplace(loop_, collectors_[i]);
    streams_[i]->Open(std::move(*pipes[i]), early[kOutputPlace + i], self, static_cast<int>(kOutputReady + i));
  }
  if (spawned.streams.input.valid()) {
    auto& streams = spawned.streams;
    input_.Open(std::move(streams.input), std::move(streams.remaining_data), early[kInputPlace], self, kInputReady);
  }
  for (const EventLoop::EarlyWatch& watch : early) {
    if (watch.fd >= 0 && watch.watch == 0) SetTimer(&poll_timer_, After(started_at_, kPollPause), kPollTimer);
  }
  if (request_.deadline.has_value()) {
    SetTimer(&deadline_timer_, After(requested_at_, *request_.deadline), kDeadlineTimer);
  }
  if (kill_wanted_) {
    EnterKilling();
  } else if (ladder_wanted_) {
    EnterTerminating();
  }
}

void Process::OnReady(int tag) {
  switch (tag) {
    case kOutputReady:
    case kErrorReady:
      streams_[static_cast<size_t>(tag)]->Read();
      if (settled_) {
        TryFinish();
      } else {
        TrySettle();
      }
      break;
    case kInputReady:
      input_.Write();
      break;
    case kPidfdReady:
      OnExit();
      break;
    case kRangeReady:
      CheckRange();
      break;
    default:
      break;
  }
}

void Process::OnTimer(int tag) {
  switch (tag) {
    case kDeadlineTimer:
      deadline_timer_ = 0;
      OnDeadline();
      break;
    case kLadderTimer:
      ladder_timer_ = 0;
      EnterKilling();
      break;
    case kRangeTimer:
      range_timer_ = 0;
      CheckRange();
      break;
    case kSettleTimer:
      settle_timer_ = 0;
      TrySettle();
      break;
    case kUnkillableTimer:
      // Even KILL waits for a process that the kernel holds (a dead disk, a frozen v1 cgroup); the caller does not.
      unkillable_timer_ = 0;
      unkillable_ = true;
      TrySettle();
      break;
    case kPollTimer:
      poll_timer_ = 0;
      PollEverything();
      break;
    default:
      break;
  }
}

void Process::OnExit() {
  if (exit_.has_value()) return;
  exit_ = Reap(pidfd_.get());
  if (!exit_.has_value()) return;
  if (exit_->max_rss_bytes <= host_peak_rss_bytes_) exit_->max_rss_bytes.reset();  // the host's, not the command's
  loop_->Unwatch(pidfd_watch_);
  pidfd_watch_ = 0;
  exited_at_ = Clock::now();
  // Its last words are in the pipes by now; usually so are their ends.
  for (auto& stream : streams_) {
    if (stream.has_value()) stream->Read();
  }
  CheckRange();
  if (!quiescent_ && request_.leftovers == Leftovers::kTerminate) EnterTerminating();
  TrySettle();
}

void Process::CheckRange() {
  // Before the direct command is reaped its range is not empty; afterwards one look at an empty range ends it for good.
  if (!exit_.has_value() || range_ == nullptr) return;
  loop_->Unwatch(range_watch_);
  range_watch_ = 0;
  ClearTimer(&range_timer_);
  auto empty = range_->IsEmpty();
  if (!empty.ok()) {
    if (!std::exchange(unobservable_told_, true)) {
      PublishTrouble(empty.error());
      listener_->OnUnobservable(*this, empty.error());
    }
  } else if (empty.value()) {
    EnterQuiescent();
    return;
  }
  WatchRange();
}

void Process::WatchRange() {
  const RangeWatch wanted = range_->watch();
  if (wanted.fd >= 0) {
    auto watch = loop_->Watch(wanted.fd, wanted.events, shared_from_this(), kRangeReady);
    if (watch.ok()) range_watch_ = watch.value();
  }
  const int look = range_checks_++;
  if (range_watch_ == 0) {
    const auto pause = kRangePoll * (1 << std::min(look, kRangePollDoublings));
    SetTimer(&range_timer_, Clock::now() + pause, kRangeTimer);
  } else if (look < kRangeLooks && range_->kind() == RangeKind::kCgroup) {
    SetTimer(&range_timer_, Clock::now() + kFirstRangePause * (1 << look), kRangeTimer);
  }
}

void Process::EnterQuiescent() {
  quiescent_ = true;
  at_rest_.store(true);
  ladder_ = Ladder::kIdle;
  ClearTimer(&ladder_timer_);
  ClearTimer(&unkillable_timer_);
  ClearTimer(&deadline_timer_);
  services_.ranges->Release(std::move(range_));
  pidfd_.Reset();
  input_.Close();
  for (auto& stream : streams_) {
    if (stream.has_value()) stream->Read();
  }
  listener_->OnQuiescent(*this);
  TrySettle();
  TryFinish();
}

void Process::Terminate(Cause cause) {
  if (failed_ || quiescent_) return;
  Cause none = Cause::kNone;
  // Only the first one counts, and a command that has exited was ended by nobody.
  if (!exit_.has_value()) (void)cause_.compare_exchange_strong(none, cause);
  if (!adopted_) {
    ladder_wanted_ = true;
    end_wanted_.store(true);
    return;
  }
  EnterTerminating();
}

void Process::Kill() {
  if (failed_ || quiescent_) return;
  if (!adopted_) {
    kill_wanted_ = true;
    end_wanted_.store(true);
    return;
  }
  EnterKilling();
}

void Process::EnterTerminating() {
  if (ladder_ != Ladder::kIdle || quiescent_) return;
  ladder_ = Ladder::kTerminating;
  range_checks_ = 0;
  range_->SignalAll(SIGTERM);
  SignalDirect(SIGTERM);
  SetTimer(&ladder_timer_, After(Clock::now(), request_.grace), kLadderTimer);
}

void Process::EnterKilling() {
  if (quiescent_) return;
  if (ladder_ != Ladder::kKilling) {
    ladder_ = Ladder::kKilling;
    kill_rounds_ = 0;
    range_checks_ = 0;
    SetTimer(&unkillable_timer_, After(Clock::now(), request_.grace), kUnkillableTimer);
  }
  range_->KillAll();
  SignalDirect(SIGKILL);
  CheckRange();
  if (quiescent_) return;
  const auto pause = kKillPause * (1 << std::min(kill_rounds_++, kKillDoublings));
  SetTimer(&ladder_timer_, Clock::now() + pause, kLadderTimer);
}

// The direct command may have left its range, or have been moved out of it (systemd-run --scope, cgexec). What is still
// inside has got the signal already, and a handler must not run twice.
void Process::SignalDirect(int signal_number) {
  if (exit_.has_value()) return;
  if (signal_number != SIGKILL) {
    auto empty = range_->IsEmpty();
    if (!empty.ok() || !empty.value()) return;
  }
  if (sys::PidfdSendSignal(pidfd_.get(), signal_number) == -1 && errno == EPERM) {
    // compat(pidfd refused by a seccomp filter): by number, which is ours until we reap it.
    (void)kill(pid(), signal_number);
  }
  if (signal_number != SIGKILL) (void)sys::PidfdSendSignal(pidfd_.get(), SIGCONT);
}

void Process::OnDeadline() {
  if (settled_) return;
  if (!exit_.has_value()) {
    Terminate(Cause::kDeadline);
    return;
  }
  // It ended in time by itself; only somebody who holds its streams has kept the result back.
  drain_over_ = true;
  TrySettle();
}

TimePoint Process::StreamsSettleAt() const {
  TimePoint when = TimePoint::min();
  if (drain_over_) return when;
  const TimePoint latest = After(exited_at_, request_.grace);
  for (const auto& stream : streams_) {
    if (!stream.has_value()) continue;
    if (stream->open()) when = std::max(when, std::max(stream->last_data(), exited_at_) + kSilence);
    // Whoever is told of the spill file may rely on its content; a disk that hangs delays that by the grace at most.
    if (!stream->flushed()) when = latest;
  }
  return std::min(when, latest);
}

void Process::TrySettle() {
  if (settled_ || failed_) return;
  if (!unkillable_) {
    if (!exit_.has_value()) return;
    if (request_.leftovers == Leftovers::kTerminate && !quiescent_) return;
  }
  const TimePoint when = exit_.has_value() ? StreamsSettleAt() : TimePoint::min();
  if (when <= Clock::now()) {
    Settle();
  } else {
    SetTimer(&settle_timer_, when, kSettleTimer);
  }
}

void Process::Settle() {
  settled_ = true;
  ClearTimer(&settle_timer_);
  ClearTimer(&deadline_timer_);
  Settlement settlement;
  if (exit_.has_value()) settlement.exit = *exit_;
  settlement.cause = cause_.load();
  const TimePoint end = exit_.has_value() ? exited_at_ : Clock::now();
  settlement.wall_ms = std::chrono::duration_cast<Millis>(end - started_at_).count();
  settlement.quiescent = quiescent_;
  listener_->OnSettled(*this, settlement);
  TryFinish();
}

void Process::CloseStreams() {
  for (auto& stream : streams_) {
    if (stream.has_value()) stream->Close();
  }
  input_.Close();
  TrySettle();
  TryFinish();
}

void Process::TryFinish() {
  if (finished_ || !quiescent_ || !(settled_ || failed_)) return;
  for (const auto& stream : streams_) {
    if (stream.has_value() && stream->open()) return;
  }
  finished_ = true;
  ClearTimer(&poll_timer_);
  listener_->OnFinished(*this);
}

void Process::SetTimer(uint64_t* timer, TimePoint when, int tag) {
  loop_->Cancel(*timer);
  *timer = loop_->At(when, shared_from_this(), tag);
}

void Process::ClearTimer(uint64_t* timer) {
  loop_->Cancel(*timer);
  *timer = 0;
}

void Process::PollEverything() {
  if (finished_) return;
  SetTimer(&poll_timer_, Clock::now() + kPollPause, kPollTimer);
  input_.Write();
  for (auto& stream : streams_) {
    if (stream.has_value()) stream->Read();
  }
  OnExit();
  TrySettle();
  TryFinish();
}

}  // namespace quiesce
