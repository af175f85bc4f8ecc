#include "process/process.h"

#include <sys/epoll.h>

#include <cerrno>

#include "process/process_tags.h"

namespace quiesce {

namespace {

// Where epoll refuses a descriptor everything is polled.
constexpr std::chrono::milliseconds kPollPause{10};

constexpr const char* kStreamNames[] = {"stdout", "stderr"};

// The descriptors of a command that are watched from its start: what comes first decides the place in the array.
enum EarlyPlace : size_t { kPidfdPlace, kOutputPlace, kErrorPlace, kInputPlace, kPlaces };

RangeSource::Limited AcquireRange(RangeSource* ranges, const RangeLimits& limits) {
  if (limits.any()) return ranges->AcquireLimited(limits);
  auto range = ranges->Acquire();
  if (!range.ok()) return SpawnFailure{SpawnStage::kRange, range.error().number, range.error().path};
  return std::move(range.value());
}

}  // namespace

// What a spawner thread hands to the reactor.
struct Process::Running {
  Spawned spawned;
  std::unique_ptr<Range> range;
  std::array<EventLoop::EarlyWatch, kPlaces> early;
};

Process::Process(uint64_t id, SpawnRequest request, Services services, ProcessListener* listener,
                 std::shared_ptr<Terminal> terminal)
    : id_(id),
      request_(std::move(request)),
      services_(std::move(services)),
      loop_(services_.loop),
      listener_(listener),
      terminal_(std::move(terminal)),
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
          self->PollUnwatched();
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
  auto acquired = AcquireRange(services_.ranges.get(), request_.range_limits);
  if (auto* failure = std::get_if<SpawnFailure>(&acquired)) return FailStart(std::move(*failure));
  auto& range = std::get<std::unique_ptr<Range>>(acquired);
  auto spawned = Spawn(&request_, range.get(), services_.null_device, stack);
  if (auto* failure = std::get_if<SpawnFailure>(&spawned)) {
    services_.ranges->Release(std::move(range));
    const int error = failure->error;
    if (error == EMFILE || error == ENFILE) services_.ranges->Spare();
    return FailStart(std::move(*failure));
  }
  services_.gate->Enter();
  auto running = std::make_shared<Running>(Running{std::move(std::get<Spawned>(spawned)), std::move(range), {}});
  const HostStreams& streams = running->spawned.streams;
  const ClonedChild& child = running->spawned.child;
  running->range->Started(child.pid, child.pidfd.get());
  running->early[kPidfdPlace] = {running->range->exit_fd(), EPOLLIN, 0};
  running->early[kOutputPlace] = {terminal_ != nullptr ? terminal_->fd() : streams.output.get(), EPOLLIN, 0};
  running->early[kErrorPlace] = {streams.error.get(), EPOLLIN, 0};
  running->early[kInputPlace] = {streams.input.get(), EPOLLOUT, 0};
  PublishPid(child.pid);
  const TimePoint latest = request_.deadline.has_value() ? After(requested_at_, *request_.deadline) : TimePoint::max();
  loop_->PostWithWatches(running->early, latest, [self = shared_from_this(), running] { self->Adopt(running.get()); });
  // Who asked for its end before it was adopted may have done so unseen, and no event need ever come. Who asked for a
  // terminal waits for the start.
  if (end_wanted_.load() || terminal_ != nullptr) loop_->Post([] {});
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
  if (terminal_ != nullptr) terminal_->End();
  PublishTrouble({failure.error, *failure.step == '\0' ? "spawn" : failure.step, failure.path});
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
  const auto self = shared_from_this();
  const auto& early = running->early;
  pidfd_watch_ = early[kPidfdPlace].watch;
  loop_->Attach(early[kPidfdPlace], self, kPidfdReady);
  if (terminal_ != nullptr) terminal_->Attach(early[kOutputPlace]);
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
  if (streams_unwanted_) CloseStreams();
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
      PollUnwatched();
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
      // After a turn with many events its end may be among those that come with the next one.
      unkillable_timer_ = 0;
      OnExit();
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
  exit_ = range_->TakeExit();
  if (!exit_.has_value()) return;
  if (exit_->max_rss_bytes <= host_peak_rss_bytes_) exit_->max_rss_bytes.reset();  // the host's, not the command's
  services_.gate->Leave();
  loop_->Unwatch(pidfd_watch_);
  pidfd_watch_ = 0;
  exited_at_ = Clock::now();
  // Its last words are in the pipes by now; usually so are their ends.
  for (auto& stream : streams_) {
    if (stream.has_value()) stream->Read();
  }
  if (terminal_ != nullptr) terminal_->End();
  CheckRange();
  if (!quiescent_ && request_.leftovers != Leftovers::kKeep) EnterTerminating();
  TrySettle();
}

void Process::SetTimer(uint64_t* timer, TimePoint when, int tag) {
  loop_->Cancel(*timer);
  *timer = loop_->At(when, shared_from_this(), tag);
}

void Process::ClearTimer(uint64_t* timer) {
  loop_->Cancel(*timer);
  *timer = 0;
}

void Process::PollUnwatched() {
  for (const auto& stream : streams_) {
    if (stream.has_value() && stream->unwatched()) SetTimer(&poll_timer_, Clock::now() + kPollPause, kPollTimer);
  }
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
