// Runs real commands through the runtime of the core and keeps what the listener is told.
#pragma once

#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "reactor/engine.h"
#include "reactor/runtime.h"

namespace quiesce::testing {

// What became of one command; every wait gives up after half a minute, so that a wrong core fails instead of hanging.
class Recorder : public ProcessListener {
 public:
  struct Record {
    std::optional<SpawnFailure> failed;
    std::optional<Settlement> settled;
    int failed_count = 0;
    int settled_count = 0;
    int quiescent_count = 0;
    int unobservable_count = 0;
  };

  void OnFailed(const Process& process, SpawnFailure failure) override;
  void OnSettled(const Process& process, const Settlement& settlement) override;
  void OnQuiescent(const Process& process) override;
  void OnUnobservable(const Process& process, const SysError& error) override;
  void OnUnguarded(uint64_t runtime_id, const SysError& error) override;
  void OnFinished(const Process& /*process*/) override {}

  // The errors of the runtime that is unguarded, in order, once there is one.
  std::vector<SysError> WaitUnguarded(uint64_t runtime_id);
  bool WaitSettled(const Process& process);
  // Settled too, which an empty range comes ahead of.
  bool WaitQuiescent(const Process& process);
  Record Of(const Process& process);

 private:
  template <typename Change>
  void Update(const Process& process, Change change);
  template <typename Condition>
  bool Wait(const Process& process, Condition condition);

  std::mutex mutex_;
  std::condition_variable changed_;
  std::unordered_map<uint64_t, Record> records_;
  std::unordered_map<uint64_t, std::vector<SysError>> unguarded_;
};

// `bash -c script` with both streams collected; change what a test needs.
SpawnRequest BashRequest(const std::string& script);

std::string TextOf(const std::shared_ptr<Collector>& collector);

// A runtime over real processes; process groups, or cgroups where this host has them.
class RuntimeFixture {
 public:
  explicit RuntimeFixture(std::shared_ptr<RangeSource> ranges = nullptr, CrashCare care = {});
  ~RuntimeFixture();

  std::shared_ptr<Process> Spawn(SpawnRequest request);
  std::shared_ptr<Process> RunToEnd(SpawnRequest request);

  Recorder recorder;
  std::string spill_path;
  std::shared_ptr<Engine> engine;
  std::unique_ptr<Runtime> runtime;
};

// The folder for cgroup tests, or empty where this host has none (an error when REQUIRE_FEATURES=all).
std::string CgroupFolderOrSkip();

}  // namespace quiesce::testing
