// One thread for everything that may wait for a disk. Started by the first spill; destroying it finishes what is
// queued.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

namespace quiesce {

class SpillThread {
 public:
  SpillThread() = default;
  SpillThread(const SpillThread&) = delete;
  SpillThread& operator=(const SpillThread&) = delete;
  ~SpillThread();

  // Any thread. Jobs run one after the other, in order. Where no thread can be had the job runs at once, here.
  void Submit(std::function<void()> job);

 private:
  void Run();

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::function<void()>> jobs_;
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace quiesce
