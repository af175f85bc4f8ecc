// Who is told what became of a process. Called on the reactor thread; must not block.
#pragma once

#include <cstdint>

#include "os/result.h"
#include "range/exit_facts.h"
#include "range/tree_usage.h"
#include "spawn/spawn_request.h"

namespace quiesce {

class Process;

// What ended a command from outside, first cause only. The numbers are part of the native API (src/native/binding.ts).
enum class Cause : uint8_t { kNone = 0, kDeadline = 1, kTerminate = 2 };

struct Settlement {
  ExitFacts exit;  // neither code nor signal: it could not even be killed
  TreeUsage tree;
  Cause cause = Cause::kNone;
  double wall_ms = 0;
  bool quiescent = false;
};

class ProcessListener {
 public:
  ProcessListener() = default;
  ProcessListener(const ProcessListener&) = delete;
  ProcessListener& operator=(const ProcessListener&) = delete;
  virtual ~ProcessListener() = default;

  virtual void OnFailed(const Process& process, SpawnFailure failure) = 0;
  virtual void OnSettled(const Process& process, const Settlement& settlement) = 0;
  // At most once, before or after OnSettled.
  virtual void OnQuiescent(const Process& process) = 0;
  virtual void OnUnobservable(const Process& process, const SysError& error) = 0;
  // Of a runtime: its commands would outlive a host that is killed. The error is 0 for a guardian that ended by itself.
  virtual void OnUnguarded(uint64_t /*runtime_id*/, const SysError& /*error*/) {}
  // Nothing more will come: the runtime may forget the process. `failed` if it never ran.
  virtual void OnFinished(const Process& process) = 0;
};

}  // namespace quiesce
