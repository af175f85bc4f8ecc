#include "reactor/runtime.h"

#include <vector>

namespace quiesce {

namespace {

std::atomic<uint64_t> last_process_id{0};

// After the kill: streams that somebody outside the range holds are given up, which takes one turn of the reactor.
constexpr std::chrono::milliseconds kClosePatience{1000};

}  // namespace

Runtime::~Runtime() { (void)Close(std::chrono::milliseconds(0)); }

std::shared_ptr<Process> Runtime::Spawn(std::shared_ptr<Engine> engine, SpawnRequest request,
                                        std::optional<SpawnFailure> failure) {
  engine_ = std::move(engine);
  auto process = std::make_shared<Process>(last_process_id.fetch_add(1) + 1, std::move(request),
                                           Services{engine_->loop.get(), &engine_->spill_thread, &engine_->gate,
                                                    engine_->null_device.get(), ranges_, spill_folder_},
                                           this);
  {
    const std::lock_guard lock(mutex_);
    live_.emplace(process->id(), process);
  }
  if (!failure.has_value()) {
    Status submitted =
        engine_->spawners.Submit([process, this](const ChildStack& stack) { process->Start(stack, closed_); });
    if (!submitted.ok()) failure = SpawnFailure{SpawnStage::kClone, submitted.error().number, {}};
  }
  if (failure.has_value()) process->FailStart(std::move(*failure));
  return process;
}

void Runtime::Terminate(const std::shared_ptr<Process>& process) {
  if (engine_ != nullptr) engine_->loop->Post([process] { process->Terminate(Cause::kTerminate); });
}

void Runtime::Kill(const std::shared_ptr<Process>& process) {
  if (engine_ != nullptr) engine_->loop->Post([process] { process->Kill(); });
}

bool Runtime::ClaimSpill(const std::string& path) {
  if (!spill_folder_->Claim(path)) return false;
  ranges_->KeepFile(path);
  return true;
}

void Runtime::PostToAll(void (Process::*action)()) {
  std::vector<std::shared_ptr<Process>> processes;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, process] : live_) processes.push_back(process);
  }
  engine_->loop->Post([processes = std::move(processes), action] {
    for (const auto& process : processes) (process.get()->*action)();
  });
}

bool Runtime::Close(std::chrono::milliseconds patience) {
  closed_.store(true);
  bool all_gone = true;
  if (engine_ != nullptr) {
    ranges_->KillAll();
    PostToAll(&Process::Kill);
    std::unique_lock lock(mutex_);
    (void)fewer_.wait_for(lock, patience, [this] {
      for (const auto& [id, process] : live_) {
        if (!process->at_rest()) return false;
      }
      return true;
    });
    lock.unlock();
    PostToAll(&Process::CloseStreams);
    lock.lock();
    all_gone = fewer_.wait_for(lock, kClosePatience, [this] { return live_.empty(); });
  }
  // The engine's threads end here if this was its last runtime.
  engine_.reset();
  ranges_->Close();
  spill_folder_->Close();
  return all_gone;
}

void Runtime::OnQuiescent(const Process& process) {
  sink_->OnQuiescent(process);
  const std::lock_guard lock(mutex_);
  fewer_.notify_all();
}

void Runtime::OnFinished(const Process& process) {
  const std::lock_guard lock(mutex_);
  live_.erase(process.id());
  fewer_.notify_all();
}

}  // namespace quiesce
