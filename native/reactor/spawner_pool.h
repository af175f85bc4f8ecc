// The threads that clone. A vfork-like clone holds its caller until the child's execve, so neither the event loop nor
// the reactor may make it. One thread for two processors takes the jobs as they come: more only compete with what they
// started. Behind them relief threads take what has waited too long, so that an execve that hangs (a dead network disk)
// holds up nobody else. Threads are started by need and end with the pool.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "os/clock.h"
#include "os/result.h"
#include "process/start_gate.h"
#include "spawn/child_stack.h"

namespace quiesce {

class SpawnerPool {
 public:
  using Job = std::function<void(const ChildStack& stack)>;

  // `gate` is borrowed and may hold jobs back.
  explicit SpawnerPool(const StartGate* gate);
  SpawnerPool(const SpawnerPool&) = delete;
  SpawnerPool& operator=(const SpawnerPool&) = delete;
  // Runs what was submitted, then ends the threads.
  ~SpawnerPool();

  // Any thread. An error means that no thread could be started and none is there; the job is not run.
  [[nodiscard]] Status Submit(Job job);

 private:
  struct Waiting {
    Job job;
    TimePoint since;
  };

  [[nodiscard]] Status AddThread(bool relief);
  void RunRegular(const ChildStack& stack);
  void RunRelief(const ChildStack& stack);
  void AwaitRoom(std::unique_lock<std::mutex>* lock);
  void RunFirst(std::unique_lock<std::mutex>* lock, const ChildStack& stack);

  const StartGate* const gate_;
  const size_t regular_limit_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable relief_wake_;
  std::deque<Waiting> jobs_;
  std::vector<std::thread> threads_;
  size_t regular_count_ = 0;
  size_t idle_ = 0;         // regular threads without a job
  size_t relief_free_ = 0;  // relief threads without a job
  size_t at_gate_ = 0;      // regular threads that wait for room
  bool stopping_ = false;
};

}  // namespace quiesce
