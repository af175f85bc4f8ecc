#include "output/spill_thread.h"

#include "os/thread.h"

namespace quiesce {

SpillThread::~SpillThread() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void SpillThread::Submit(std::function<void()> job) {
  {
    const std::lock_guard lock(mutex_);
    if (thread_.joinable() || StartThread(&thread_, "quiesce-spill", [this] { Run(); }).ok()) {
      jobs_.push_back(std::move(job));
      job = nullptr;
    }
  }
  if (job != nullptr) {
    job();
    return;
  }
  wake_.notify_one();
}

void SpillThread::Run() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return stopping_ || !jobs_.empty(); });
    if (jobs_.empty()) return;
    {
      const std::function<void()> job = std::move(jobs_.front());
      jobs_.pop_front();
      lock.unlock();
      job();
    }
    lock.lock();
  }
}

}  // namespace quiesce
