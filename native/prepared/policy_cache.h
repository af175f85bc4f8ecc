// The prepared policies of one host environment: one for each kind of confinement that is in use, the least recently
// used given up first. A policy is looked at before each use and built again when the host has changed.
#pragma once

#include <condition_variable>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <set>
#include <string>

#include "prepared/prepare.h"
#include "spawn/confinement.h"

namespace quiesce {

class PolicyCache {
 public:
  // Runs a job soon, on a thread that may wait for mounts to be torn down.
  using RunLater = std::function<void(std::function<void()>)>;

  static constexpr size_t kMostPolicies = 8;

  // `null_device` is borrowed, and so is whatever `run_later` uses: both outlive every policy.
  PolicyCache(int null_device, RunLater run_later) : null_device_(null_device), run_later_(std::move(run_later)) {}

  // Any thread. Prepares nothing yet. The source is used while the cache lives. EINVAL for a malformed order.
  Result<std::shared_ptr<ConfinementSource>> SourceOf(std::string key);

  // --- spawner threads ---

  ConfinementSource::Acquired Acquire(const PolicyOrder& order, const ChildStack& stack, TimePoint latest);
  void Discard(const ChildConfinement& confinement);

 private:
  using Policy = std::shared_ptr<PreparedPolicy>;
  struct Entry {
    std::string key;
    Policy policy;
  };

  // With `mutex_` held. `given_up` is to be destroyed after it.
  [[nodiscard]] Policy Use(const std::string& key);
  void Keep(const std::string& key, const Policy& policy, std::list<Entry>* given_up);
  template <typename Condition>
  void GiveUp(Condition condition, std::list<Entry>* given_up);

  [[nodiscard]] Policy Own(std::unique_ptr<PreparedPolicy> policy) const;

  const int null_device_;
  const RunLater run_later_;
  std::mutex mutex_;
  std::condition_variable prepared_;
  std::list<Entry> entries_;         // most recently used first
  std::set<std::string> preparing_;  // one preparation for a key at a time
};

}  // namespace quiesce
