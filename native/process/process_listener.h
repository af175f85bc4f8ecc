// Who is told what became of a process. Called on the reactor thread; must not block.
#pragma once

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
  // Nothing more will come: the runtime may forget the process. `failed` if it never ran.
  virtual void OnFinished(const Process& process) = 0;
};

}  // namespace quiesce
