// When a process that has exited is told as settled, and when nothing more will come of it.
#include "process/process.h"

#include <algorithm>

#include "process/process_tags.h"

namespace quiesce {

namespace {

// A leftover that holds a stream and says nothing for this long after the exit no longer delays the result.
constexpr std::chrono::milliseconds kSilence{100};

}  // namespace

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
  settlement.tree = range_ == nullptr ? tree_usage_ : range_->ReadUsage();
  settlement.quiescent = quiescent_;
  listener_->OnSettled(*this, settlement);
  TryFinish();
}

void Process::CloseStreams() {
  streams_unwanted_ = true;
  if (terminal_ != nullptr && (adopted_ || failed_)) terminal_->End();
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

}  // namespace quiesce
