// The threads that clone. A vfork-like clone holds its caller until the child's execve, so neither the event loop nor
// the reactor may make it. Threads are started by need and end with the pool.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "os/result.h"
#include "spawn/child_stack.h"

namespace quiesce {

class SpawnerPool {
 public:
  using Job = std::function<void(const ChildStack& stack)>;

  SpawnerPool();
  SpawnerPool(const SpawnerPool&) = delete;
  SpawnerPool& operator=(const SpawnerPool&) = delete;
  // Runs what was submitted, then ends the threads.
  ~SpawnerPool();

  // Any thread. An error means that no thread could be started and none is there; the job is not run.
  [[nodiscard]] Status Submit(Job job);

 private:
  [[nodiscard]] Status AddThread();
  void Run(const ChildStack& stack);

  const size_t max_threads_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Job> jobs_;
  std::vector<std::thread> threads_;
  size_t idle_ = 0;
  bool stopping_ = false;
};

}  // namespace quiesce
