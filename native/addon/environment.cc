#include "addon/environment.h"

#include <algorithm>

#include "addon/event_batch.h"

namespace quiesce {

namespace {

// How long the teardown of an environment waits for what it had to kill.
constexpr std::chrono::milliseconds kTearDownPatience{2000};

}  // namespace

void Environment::SetWake(Napi::Function wake) {
  wake_ = Wake::New(env_, wake, "quiesce", /*maxQueueSize=*/0, /*initialThreadCount=*/1, this);
  wake_->Unref(env_);
  // Hooks run last in, first out: registered after the thread-safe function's own, this one runs while that still
  // stands.
  env_.AddCleanupHook([](Environment* self) { self->TearDown(); }, this);
}

Result<std::shared_ptr<Engine>> Environment::GetEngine() {
  if (auto engine = engine_.lock()) return engine;
  auto started = Engine::Start();
  if (!started.ok()) return started;
  engine_ = started.value();
  started.value()->loop->AfterEachRound([this] {
    if (outbox_.Announce()) (void)wake_->NonBlockingCall();
  });
  return started;
}

void Environment::Forget(const Runtime* runtime) {
  std::erase_if(runtimes_, [runtime](const auto& known) { return known.get() == runtime; });
}

void Environment::TearDown() {
  // Threads of the engine end with its last runtime, so that nobody calls into the environment afterwards.
  for (const auto& runtime : runtimes_) (void)runtime->Close(kTearDownPatience);
  (void)wake_->Release();
  wake_.reset();
}

void Environment::OnFailed(const Process& process, SpawnFailure failure) {
  outbox_.Put({process.id(), Failed{std::move(failure)}});
}

void Environment::OnSettled(const Process& process, const Settlement& settlement) {
  outbox_.Put({process.id(), settlement});
}

void Environment::OnQuiescent(const Process& process) { outbox_.Put({process.id(), Quiescent{}}); }

void Environment::OnUnobservable(const Process& process, const SysError& error) {
  outbox_.Put({process.id(), Unobservable{error}});
}

void Environment::OnUnguarded(uint64_t runtime_id, const SysError& error) {
  outbox_.Put({runtime_id, Unguarded{error}});
}

Napi::Float64Array Environment::TakeEvents() { return ToBatch(env_, outbox_.TakeAll()); }

void Environment::Call(Napi::Env env, Napi::Function wake, Environment* /*self*/, void* /*data*/) {
  if (env == nullptr || wake.IsEmpty()) return;  // the environment is gone
  // The raw call: a last wake-up may come when JavaScript can no longer run, which is no error and must not become one.
  // What JavaScript itself throws stays pending, and Node reports it as uncaught.
  napi_value receiver = env.Undefined();
  (void)napi_call_function(env, receiver, wake, 0, nullptr, nullptr);
}

}  // namespace quiesce
