#include "reactor/spawner_pool.h"

#include <algorithm>
#include <memory>

#include "os/thread.h"

namespace quiesce {

namespace {

constexpr size_t kMostThreads = 4;

}  // namespace

SpawnerPool::SpawnerPool() : max_threads_(std::clamp<size_t>(std::thread::hardware_concurrency(), 1, kMostThreads)) {}

SpawnerPool::~SpawnerPool() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

Status SpawnerPool::Submit(Job job) {
  {
    const std::lock_guard lock(mutex_);
    if (jobs_.size() >= idle_ && threads_.size() < max_threads_) {
      // With another thread there already, the job only waits a little longer.
      if (Status added = AddThread(); !added.ok() && threads_.empty()) return added;
    }
    jobs_.push_back(std::move(job));
  }
  wake_.notify_one();
  return {};
}

Status SpawnerPool::AddThread() {
  auto stack = ChildStack::Create();
  if (!stack.ok()) return stack.error();
  auto shared = std::make_shared<ChildStack>(std::move(stack.value()));
  std::thread thread;
  if (Status started = StartThread(&thread, "quiesce-spawner", [this, shared] { Run(*shared); }); !started.ok()) {
    return started;
  }
  threads_.push_back(std::move(thread));
  return {};
}

void SpawnerPool::Run(const ChildStack& stack) {
  std::unique_lock lock(mutex_);
  while (true) {
    ++idle_;
    wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    --idle_;
    if (jobs_.empty()) return;
    {
      const Job job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job(stack);
    }
    lock.lock();
  }
}

}  // namespace quiesce
