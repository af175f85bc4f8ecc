#include "reactor/runtime.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <functional>
#include <utility>
#include <vector>

#include "output/spill_leftovers.h"

namespace quiesce {

namespace {

// Of processes and of runtimes.
std::atomic<uint64_t> last_id{0};

// After the kill: streams that somebody outside the range holds are given up, which takes one turn of the reactor.
constexpr std::chrono::milliseconds kClosePatience{1000};

// What earlier hosts left, of both kinds.
void Sweep(RangeSource* ranges, const SpillFolder& spill_folder) {
  ranges->Sweep();
  const std::string& path = spill_folder.path();
  SweepSpillFolders(path.substr(0, std::max<size_t>(path.rfind('/'), 1)).c_str());
}

}  // namespace

Runtime::Runtime(std::shared_ptr<RangeSource> ranges, std::shared_ptr<SpillFolder> spill_folder, ProcessListener* sink,
                 CrashCare care)
    : id_(last_id.fetch_add(1) + 1),
      ranges_(std::move(ranges)),
      spill_folder_(std::move(spill_folder)),
      sink_(sink),
      guardian_(
          !care.guardian.has_value()
              ? nullptr
              : std::make_shared<Guardian>(std::move(*care.guardian), ranges_, spill_folder_,
                                           [sink, id = id_](const SysError& error) { sink->OnUnguarded(id, error); })),
      sweep_wanted_(care.sweep) {}

Runtime::~Runtime() { (void)Close(std::chrono::milliseconds(0)); }

void Runtime::Engage(std::shared_ptr<Engine> engine) {
  if (engine_ == nullptr && guardian_ != nullptr) {
    spill_folder_->WhenMade([weak = std::weak_ptr<Guardian>(guardian_), engine = engine.get()] {
      if (const auto guardian = weak.lock()) guardian->TendSpillFolder(engine);
    });
  }
  engine_ = std::move(engine);
}

Services Runtime::MakeServices() const {
  return {engine_->loop.get(), &engine_->spill_thread, &engine_->gate, engine_->null_device.get(), ranges_,
          spill_folder_};
}

std::shared_ptr<Process> Runtime::Spawn(std::shared_ptr<Engine> engine, SpawnRequest request,
                                        std::optional<SpawnFailure> failure) {
  Engage(std::move(engine));
  auto process = std::make_shared<Process>(last_id.fetch_add(1) + 1, std::move(request), MakeServices(), this);
  Run(process, std::move(failure));
  return process;
}

Runtime::InTerminal Runtime::SpawnInTerminal(std::shared_ptr<Engine> engine, SpawnRequest request, TerminalSize size,
                                             TerminalListener* listener) {
  Engage(std::move(engine));
  std::optional<SpawnFailure> failure;
  auto pty = OpenPty(size);
  UniqueFd end(pty.ok() ? fcntl(pty.value().command.get(), F_DUPFD_CLOEXEC, kFirstFreeDescriptor) : -1);
  if (!pty.ok()) {
    failure = SpawnFailure{SpawnStage::kStdio, pty.error().number, pty.error().path};
  } else if (!end.valid()) {
    failure = SpawnFailure{SpawnStage::kStdio, errno, {}};
  }
  request.terminal = std::move(end);
  const uint64_t id = last_id.fetch_add(1) + 1;
  auto terminal =
      std::make_shared<Terminal>(id, pty.ok() ? std::move(pty.value()) : Pty{}, engine_->loop.get(), listener);
  auto process = std::make_shared<Process>(id, std::move(request), MakeServices(), this, terminal);
  Run(process, std::move(failure));
  return {std::move(process), std::move(terminal)};
}

void Runtime::Run(const std::shared_ptr<Process>& process, std::optional<SpawnFailure> failure) {
  {
    const std::lock_guard lock(mutex_);
    live_.emplace(process->id(), process);
  }
  if (!failure.has_value()) {
    std::function<void()> sweep;
    if (std::exchange(sweep_wanted_, false)) {
      sweep = [ranges = ranges_, spill_folder = spill_folder_] { Sweep(ranges.get(), *spill_folder); };
    }
    Status submitted = engine_->spawners.Submit(
        [process, this, guardian = guardian_, raw = engine_.get(), sweep = std::move(sweep)](const ChildStack& stack) {
          process->Start(stack, closed_);
          // From here on `this` may be gone. What follows is nothing that the command need wait for.
          if (guardian != nullptr && guardian->wanted()) guardian->Tend(raw, stack);
          if (sweep) raw->spill_thread.Submit(sweep);
        });
    if (!submitted.ok()) failure = SpawnFailure{SpawnStage::kClone, submitted.error().number, {}};
  }
  if (failure.has_value()) process->FailStart(std::move(*failure));
}

void Runtime::Terminate(const std::shared_ptr<Process>& process) {
  if (engine_ != nullptr) engine_->loop->Post([process] { process->Terminate(Cause::kTerminate); });
}

void Runtime::Kill(const std::shared_ptr<Process>& process) {
  if (engine_ != nullptr) engine_->loop->Post([process] { process->Kill(); });
}

bool Runtime::ClaimSpill(const std::string& path) { return spill_folder_->Claim(path); }

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
  if (guardian_ != nullptr) guardian_->Retire();
  // The engine's threads end here if this was its last runtime.
  engine_.reset();
  ranges_->Close();
  spill_folder_->Close();
  if (guardian_ != nullptr) guardian_->Dismiss();
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
