// Everything native that belongs to one Node environment (the main thread or a worker): the engine while commands run,
// the way to its event loop, and the end of both when the environment is torn down.
#pragma once

#include <napi.h>

#include <memory>
#include <optional>
#include <vector>

#include "addon/outbox.h"
#include "os/host_environment.h"
#include "reactor/engine.h"
#include "reactor/runtime.h"

namespace quiesce {

class Environment : public ProcessListener, public TerminalListener {
 public:
  explicit Environment(Napi::Env env) : env_(env) {}
  ~Environment() override = default;

  // --- the environment's thread ---

  // Calls `wake()` on the event loop whenever there are events to take; keeps no event loop alive. Once only.
  void SetWake(Napi::Function wake);
  Napi::Float64Array TakeEvents();

  // The engine, started if there is none.
  Result<std::shared_ptr<Engine>> GetEngine();
  void Add(std::shared_ptr<Runtime> runtime) { runtimes_.push_back(std::move(runtime)); }
  void Forget(const Runtime* runtime);

  Napi::FunctionReference process_class;
  Napi::FunctionReference terminal_class;
  HostEnvironment host_environment;

  // --- reactor thread ---

  void OnFailed(const Process& process, SpawnFailure failure) override;
  void OnSettled(const Process& process, const Settlement& settlement) override;
  void OnQuiescent(const Process& process) override;
  void OnUnobservable(const Process& process, const SysError& error) override;
  void OnUnguarded(uint64_t runtime_id, const SysError& error) override;
  void OnStarted(uint64_t id) override { outbox_.Put({id, Started{}}); }
  void OnReadable(uint64_t id) override { outbox_.Put({id, Readable{}}); }
  void OnWritten(uint64_t id, uint64_t count) override { outbox_.Put({id, Written{count}}); }
  void OnFinished(const Process& /*process*/) override {}

 private:
  static void Call(Napi::Env env, Napi::Function wake, Environment* self, void* data);
  using Wake = Napi::TypedThreadSafeFunction<Environment, void, Call>;

  void TearDown();

  Napi::Env env_;
  std::optional<Wake> wake_;
  Outbox outbox_;
  std::weak_ptr<Engine> engine_;
  std::vector<std::shared_ptr<Runtime>> runtimes_;
};

}  // namespace quiesce
