#include "prepared/policy_cache.h"

#include <cerrno>
#include <iterator>
#include <utility>

namespace quiesce {

namespace {

class CachedSource : public ConfinementSource {
 public:
  CachedSource(PolicyCache* cache, PolicyOrder order) : cache_(cache), order_(std::move(order)) {}
  Acquired Acquire(const ChildStack& stack, TimePoint latest) override {
    return cache_->Acquire(order_, stack, latest);
  }
  void Discard(const ChildConfinement& confinement) override { cache_->Discard(confinement); }

 private:
  PolicyCache* const cache_;
  const PolicyOrder order_;
};

std::shared_ptr<const ChildConfinement> ConfinementOf(const std::shared_ptr<PreparedPolicy>& policy) {
  return {policy, &policy->confinement()};
}

}  // namespace

Result<std::shared_ptr<ConfinementSource>> PolicyCache::SourceOf(std::string key) {
  auto order = ReadPolicyOrder(std::move(key));
  if (!order.ok()) return order.error();
  return std::shared_ptr<ConfinementSource>(std::make_shared<CachedSource>(this, std::move(order.value())));
}

ConfinementSource::Acquired PolicyCache::Acquire(const PolicyOrder& order, const ChildStack& stack, TimePoint latest) {
  std::list<Entry> given_up;  // before the lock: destroyed after it
  std::unique_lock lock(mutex_);
  while (true) {
    if (const Policy policy = Use(order.key)) {
      lock.unlock();
      if (policy->IsFresh()) return ConfinementOf(policy);
      lock.lock();
      GiveUp([&](const Entry& entry) { return entry.policy == policy; }, &given_up);
      continue;
    }
    if (preparing_.insert(order.key).second) break;
    if (prepared_.wait_until(lock, latest) == std::cv_status::timeout) return PreparationFailure(ETIMEDOUT);
  }
  lock.unlock();
  auto prepared = Prepare(order, null_device_, stack, latest);
  lock.lock();
  preparing_.erase(order.key);
  prepared_.notify_all();
  if (auto* failure = std::get_if<SpawnFailure>(&prepared)) return std::move(*failure);
  const Policy policy = Own(std::move(std::get<std::unique_ptr<PreparedPolicy>>(prepared)));
  Keep(order.key, policy, &given_up);
  return ConfinementOf(policy);
}

void PolicyCache::Discard(const ChildConfinement& confinement) {
  std::list<Entry> given_up;
  const std::lock_guard lock(mutex_);
  GiveUp([&](const Entry& entry) { return &entry.policy->confinement() == &confinement; }, &given_up);
}

PolicyCache::Policy PolicyCache::Use(const std::string& key) {
  for (auto entry = entries_.begin(); entry != entries_.end(); ++entry) {
    if (entry->key != key) continue;
    entries_.splice(entries_.begin(), entries_, entry);
    return entry->policy;
  }
  return nullptr;
}

void PolicyCache::Keep(const std::string& key, const Policy& policy, std::list<Entry>* given_up) {
  entries_.push_front({key, policy});
  if (entries_.size() > kMostPolicies) given_up->splice(given_up->end(), entries_, std::prev(entries_.end()));
}

template <typename Condition>
void PolicyCache::GiveUp(Condition condition, std::list<Entry>* given_up) {
  for (auto entry = entries_.begin(); entry != entries_.end();) {
    const auto current = entry++;
    if (condition(*current)) given_up->splice(given_up->end(), entries_, current);
  }
}

// Whoever lets go of a policy last need not wait for its mounts.
PolicyCache::Policy PolicyCache::Own(std::unique_ptr<PreparedPolicy> policy) const {
  return {policy.release(), [run_later = run_later_](PreparedPolicy* last) { run_later([last] { delete last; }); }};
}

}  // namespace quiesce
