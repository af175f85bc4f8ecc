#include "reactor/spawner_pool.h"

#include <algorithm>
#include <memory>

#include "os/thread.h"

namespace quiesce {

namespace {

constexpr size_t kMostThreads = 4;
constexpr std::chrono::milliseconds kReliefDelay{20};

}  // namespace

SpawnerPool::SpawnerPool(const StartGate* gate)
    : gate_(gate), regular_limit_(std::clamp<size_t>(std::thread::hardware_concurrency() / 2, 1, kMostThreads)) {}

SpawnerPool::~SpawnerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  relief_wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

Status SpawnerPool::Submit(Job job) {
  bool relief = false;
  {
    const std::lock_guard lock(mutex_);
    if (jobs_.size() >= idle_) {
      // Everybody has something to do already. With another thread there, a failure only makes the job wait longer.
      relief = regular_count_ == regular_limit_;
      if (threads_.size() < kMostThreads && (!relief || relief_free_ == 0)) {
        if (Status added = AddThread(relief); !added.ok() && threads_.empty()) return added;
      }
    }
    jobs_.push_back({std::move(job), Clock::now()});
  }
  wake_.notify_one();
  if (relief) relief_wake_.notify_one();
  return {};
}

Status SpawnerPool::AddThread(bool relief) {
  auto stack = ChildStack::Create();
  if (!stack.ok()) return stack.error();
  auto shared = std::make_shared<ChildStack>(std::move(stack.value()));
  std::thread thread;
  Status started = StartThread(&thread, "quiesce-spawner", [this, shared, relief] {
    if (relief) {
      RunRelief(*shared);
    } else {
      RunRegular(*shared);
    }
  });
  if (!started.ok()) return started;
  threads_.push_back(std::move(thread));
  ++(relief ? relief_free_ : regular_count_);
  return {};
}

void SpawnerPool::RunRegular(const ChildStack& stack) {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    --idle_;
    if (!stopping_) AwaitRoom(&lock);
    if (!jobs_.empty()) {
      RunFirst(&lock, stack);
    } else if (stopping_) {
      return;
    }
  }
}

void SpawnerPool::RunRelief(const ChildStack& stack) {
  std::unique_lock lock(mutex_);
  while (true) {
    if (jobs_.empty()) {
      if (stopping_) return;
      relief_wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
      continue;
    }
    // Where a regular thread only waits for room nothing hangs.
    const TimePoint due = at_gate_ > 0 ? Clock::now() + kReliefDelay : jobs_.front().since + kReliefDelay;
    if (stopping_ || Clock::now() >= due) {
      --relief_free_;
      // Who waits behind this job may need relief as well. Without another thread it only waits longer.
      const bool behind = jobs_.size() > 1 && relief_free_ == 0 && threads_.size() < kMostThreads && !stopping_;
      if (behind) (void)AddThread(/*relief=*/true);
      RunFirst(&lock, stack);
      ++relief_free_;
    } else {
      (void)relief_wake_.wait_until(lock, due);
    }
  }
}

void SpawnerPool::AwaitRoom(std::unique_lock<std::mutex>* lock) {
  ++at_gate_;
  lock->unlock();
  if (gate_->IsCrowded()) (void)gate_->WaitForRoom();
  lock->lock();
  --at_gate_;
}

void SpawnerPool::RunFirst(std::unique_lock<std::mutex>* lock, const ChildStack& stack) {
  const Job job = std::move(jobs_.front().job);
  jobs_.pop_front();
  lock->unlock();
  job(stack);
  lock->lock();
}

}  // namespace quiesce
