// The commands of one subprocess runtime: starts them, keeps them until they have finished, ends them all at once when
// the host goes away.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

#include "process/process.h"
#include "process/process_listener.h"
#include "reactor/engine.h"
#include "reactor/guardian.h"

namespace quiesce {

// What is done about hosts that are killed.
struct CrashCare {
  bool sweep = false;                   // the first command also removes what earlier hosts left
  std::optional<std::string> guardian;  // the program that ends this one's commands: quiesce-runner
};

class Runtime : public ProcessListener {
 public:
  // `sink` is borrowed, outlives the runtime and is told everything but OnFinished.
  Runtime(std::shared_ptr<RangeSource> ranges, std::shared_ptr<SpillFolder> spill_folder, ProcessListener* sink,
          CrashCare care = {});
  ~Runtime() override;

  // --- the host's thread ---

  // Told with what is about the runtime itself; no process has the same.
  [[nodiscard]] uint64_t id() const { return id_; }
  [[nodiscard]] bool open() const { return !closed_.load(); }

  // The outcome, failure included, comes through the sink. With `failure` the command is not even tried: what the
  // caller had to prepare for it went wrong. Only while open.
  std::shared_ptr<Process> Spawn(std::shared_ptr<Engine> engine, SpawnRequest request,
                                 std::optional<SpawnFailure> failure);

  // A command in a terminal of its own. What its output and its input come to is told to `listener`, which is borrowed
  // and outlives the runtime, under the id of the process.
  struct InTerminal {
    std::shared_ptr<Process> process;
    std::shared_ptr<Terminal> terminal;
  };
  InTerminal SpawnInTerminal(std::shared_ptr<Engine> engine, SpawnRequest request, TerminalSize size,
                             TerminalListener* listener);

  void Terminate(const std::shared_ptr<Process>& process);
  void Kill(const std::shared_ptr<Process>& process);
  bool ClaimSpill(const std::string& path);

  // Kills what still runs, waits for it up to `patience`, removes cgroup folders and spill files and lets go of the
  // engine. Blocks. Idempotent. False if something outlived the patience; the runtime must then outlive the engine.
  bool Close(std::chrono::milliseconds patience);

  // --- reactor thread ---

  void OnFailed(const Process& process, SpawnFailure failure) override { sink_->OnFailed(process, std::move(failure)); }
  void OnSettled(const Process& process, const Settlement& settlement) override {
    sink_->OnSettled(process, settlement);
  }
  void OnQuiescent(const Process& process) override;
  void OnUnobservable(const Process& process, const SysError& error) override { sink_->OnUnobservable(process, error); }
  void OnFinished(const Process& process) override;

 private:
  using Live = std::unordered_map<uint64_t, std::shared_ptr<Process>>;

  void Engage(std::shared_ptr<Engine> engine);
  [[nodiscard]] Services MakeServices() const;
  void Run(const std::shared_ptr<Process>& process, std::optional<SpawnFailure> failure);
  void PostToAll(void (Process::*action)());

  const uint64_t id_;
  const std::shared_ptr<RangeSource> ranges_;
  const std::shared_ptr<SpillFolder> spill_folder_;
  ProcessListener* const sink_;
  const std::shared_ptr<Guardian> guardian_;  // null: none is wanted
  bool sweep_wanted_;                         // the host's thread only
  std::shared_ptr<Engine> engine_;            // the host's thread only
  std::atomic<bool> closed_{false};
  std::mutex mutex_;
  std::condition_variable fewer_;
  Live live_;
};

}  // namespace quiesce
