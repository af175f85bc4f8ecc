// Watching the range of a process that has exited until it is empty, which ends everything.
#include "process/process.h"

#include <algorithm>
#include <utility>

#include "process/process_tags.h"

namespace quiesce {

namespace {

// cgroup.events notifies at most once in 10 ms, so the first looks do not wait for it.
constexpr std::chrono::milliseconds kFirstRangePause{1};
constexpr int kRangeLooks = 4;
// Without anything to wait for the range is polled, every 15 ms at first, growing to half a second.
constexpr std::chrono::milliseconds kRangePoll{15};
constexpr int kRangePollDoublings = 5;

}  // namespace

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
  tree_usage_ = range_->ReadUsage();
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

}  // namespace quiesce
