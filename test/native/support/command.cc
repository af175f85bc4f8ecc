#include "support/command.h"

#include <doctest/doctest.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <cstring>

#include "process/cgroup_probe.h"
#include "range/cgroup_mount.h"
#include "range/group_range.h"

extern char** environ;  // NOLINT(readability-redundant-declaration)

namespace quiesce::testing {

namespace {

constexpr std::chrono::seconds kPatience{30};

}  // namespace

template <typename Change>
void Recorder::Update(const Process& process, Change change) {
  const std::lock_guard lock(mutex_);
  change(records_[process.id()]);
  changed_.notify_all();
}

template <typename Condition>
bool Recorder::Wait(const Process& process, Condition condition) {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, [&] { return condition(records_[process.id()]); });
}

void Recorder::OnFailed(const Process& process, SpawnFailure failure) {
  Update(process, [&](Record& record) {
    record.failed = std::move(failure);
    ++record.failed_count;
  });
}

void Recorder::OnSettled(const Process& process, const Settlement& settlement) {
  Update(process, [&](Record& record) {
    record.settled = settlement;
    ++record.settled_count;
  });
}

void Recorder::OnQuiescent(const Process& process) {
  Update(process, [](Record& record) { ++record.quiescent_count; });
}

void Recorder::OnUnobservable(const Process& process, const SysError& /*error*/) {
  Update(process, [](Record& record) { ++record.unobservable_count; });
}

bool Recorder::WaitSettled(const Process& process) {
  return Wait(process, [](const Record& record) { return record.settled.has_value() || record.failed.has_value(); });
}

void Recorder::OnUnguarded(uint64_t runtime_id, const SysError& error) {
  const std::lock_guard lock(mutex_);
  unguarded_[runtime_id].push_back(error);
  changed_.notify_all();
}

std::vector<SysError> Recorder::WaitUnguarded(uint64_t runtime_id) {
  std::unique_lock lock(mutex_);
  (void)changed_.wait_for(lock, kPatience, [&] { return !unguarded_[runtime_id].empty(); });
  return unguarded_[runtime_id];
}

bool Recorder::WaitQuiescent(const Process& process) {
  return Wait(process, [](const Record& record) { return record.quiescent_count > 0 && record.settled_count > 0; });
}

Recorder::Record Recorder::Of(const Process& process) {
  const std::lock_guard lock(mutex_);
  return records_[process.id()];
}

SpawnRequest BashRequest(const std::string& script) {
  SpawnRequest request;
  for (const char* argument : {"bash", "-c", script.c_str()}) request.argv.Add(argument);
  for (char** entry = environ; *entry != nullptr; ++entry) request.environment.Add(*entry);
  request.cwd = "/";
  request.output = {StreamMode::kCollect, UniqueFd(), {64000, 0}};
  request.error = {StreamMode::kCollect, UniqueFd(), {64000, 0}};
  request.grace = Millis(500);
  return request;
}

std::string TextOf(const std::shared_ptr<Collector>& collector) {
  const OutputWindow window = collector->ReadFrom(0);
  return {window.bytes.begin(), window.bytes.end()};
}

RuntimeFixture::RuntimeFixture(std::shared_ptr<RangeSource> ranges, CrashCare care) {
  static int count = 0;
  spill_path = "/tmp/quiesce-native-test-" + std::to_string(getpid()) + "-" + std::to_string(count++);
  auto started = Engine::Start();
  REQUIRE(started.ok());
  engine = std::move(started.value());
  if (ranges == nullptr) ranges = std::make_shared<GroupRangeSource>();
  runtime = std::make_unique<Runtime>(std::move(ranges), std::make_shared<SpillFolder>(spill_path), &recorder,
                                      std::move(care));
}

RuntimeFixture::~RuntimeFixture() {
  CHECK(runtime->Close(std::chrono::seconds(5)));
  runtime.reset();
  engine.reset();
}

std::shared_ptr<Process> RuntimeFixture::Spawn(SpawnRequest request) {
  return runtime->Spawn(engine, std::move(request), std::nullopt);
}

std::shared_ptr<Process> RuntimeFixture::RunToEnd(SpawnRequest request) {
  auto process = Spawn(std::move(request));
  REQUIRE(recorder.WaitSettled(*process));
  return process;
}

std::string CgroupFolderOrSkip() {
  auto folder = FindOwnCgroup();
  if (folder.ok() && ProbeCgroup(folder.value()).ok()) return folder.value();
  const char* required = getenv("REQUIRE_FEATURES");  // NOLINT(concurrency-mt-unsafe): nobody sets it
  REQUIRE_MESSAGE((required == nullptr || strcmp(required, "all") != 0), "no cgroup to work in");
  MESSAGE("skipped: no cgroup to work in");
  return {};
}

}  // namespace quiesce::testing
