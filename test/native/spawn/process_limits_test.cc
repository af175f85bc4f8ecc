#include "spawn/process_limits.h"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <cerrno>
#include <csignal>
#include <string>
#include <string_view>

#include "os/sys.h"
#include "support/command.h"
#include "support/faults.h"

namespace quiesce::testing {

namespace {

// This process under a lower hard limit for open files, for as long as the object lives; only root can put it back.
class LowerHardLimit {
 public:
  explicit LowerHardLimit(uint64_t hard) {
    (void)sys::GetLimit(RLIMIT_NOFILE, &before_);
    const sys::Rlimit lower{hard, hard};
    lowered_ = geteuid() == 0 && syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &lower, nullptr) == 0;
  }
  ~LowerHardLimit() {
    if (lowered_) (void)syscall(SYS_prlimit64, 0, RLIMIT_NOFILE, &before_, nullptr);
  }
  LowerHardLimit(const LowerHardLimit&) = delete;
  LowerHardLimit& operator=(const LowerHardLimit&) = delete;

  [[nodiscard]] bool lowered() const { return lowered_; }

 private:
  sys::Rlimit before_{};
  bool lowered_ = false;
};

std::string OutputUnder(RuntimeFixture* fixture, const ProcessLimits& limits, const char* script) {
  SpawnRequest request = BashRequest(script);
  request.process_limits = limits;
  const auto process = fixture->RunToEnd(std::move(request));
  return TextOf(process->output());
}

void CheckFailure(RuntimeFixture* fixture, const ProcessLimits& limits, int error, std::string_view path,
                  std::string_view step) {
  SpawnRequest request = BashRequest("echo ran");
  request.process_limits = limits;
  const auto process = fixture->RunToEnd(std::move(request));
  const auto record = fixture->recorder.Of(*process);
  REQUIRE(record.failed.has_value());
  CHECK(record.failed->stage == SpawnStage::kLimits);
  CHECK(record.failed->error == error);
  CHECK(record.failed->path == path);
  CHECK(record.failed->step == step);
  CHECK(process->trouble().syscall == step);
  CHECK(TextOf(process->output()).empty());
  CHECK(process->pid() == -1);
}

}  // namespace

TEST_CASE("a command has the limits that were asked for, soft and hard, and the host has its own as before") {
  RuntimeFixture fixture;
  sys::Rlimit before{};
  REQUIRE(sys::GetLimit(RLIMIT_NOFILE, &before) == 0);
  const char* script = "ulimit -t; ulimit -Ht; ulimit -f; ulimit -Hf; ulimit -n; ulimit -Hn";
  CHECK(OutputUnder(&fixture, {.cpu_seconds = 7, .file_bytes = 4096, .open_files = 30}, script) ==
        "7\n8\n4\n4\n30\n30\n");
  sys::Rlimit after{};
  REQUIRE(sys::GetLimit(RLIMIT_NOFILE, &after) == 0);
  CHECK(before.soft == after.soft);
  CHECK(before.hard == after.hard);
}

TEST_CASE("a limit below the descriptors that the start needs does not stop the start") {
  RuntimeFixture fixture;
  SpawnRequest request = BashRequest("ulimit -n; read -r text <&8; echo \"$text\"");
  request.attachment = "attached\n";
  request.process_limits.open_files = 4;
  const auto process = fixture.RunToEnd(std::move(request));
  CHECK(TextOf(process->output()).starts_with("4\n"));
  // Where close_range is refused the list of descriptors has to be opened.
  const Fault fault(Call::kCloseRange, ENOSYS);
  CHECK(OutputUnder(&fixture, {.open_files = 4}, "ulimit -n; echo /proc/$$/fd/*").starts_with("4\n"));
}

TEST_CASE("a limit above the hard one of the host is refused by name, with the hard limit") {
  const LowerHardLimit lower(500);
  if (!lower.lowered()) return;
  RuntimeFixture fixture;
  CheckFailure(&fixture, {.cpu_seconds = 5, .open_files = 501}, EPERM, "500", "openFiles");
  CHECK(OutputUnder(&fixture, {.open_files = 500}, "ulimit -n") == "500\n");
}

TEST_CASE("a limit that the child may not set fails the command by name, and the next one runs") {
  RuntimeFixture fixture;
  {
    // The first two are the host's looks at its own limits.
    const Fault fault(Call::kPrlimit, EPERM, {.skip = 3, .times = 1});
    CheckFailure(&fixture, {.cpu_seconds = 5, .file_bytes = 4096}, EPERM, "", "fileBytes");
  }
  {
    const Fault fault(Call::kPrlimit, ENOSYS, {.times = 1});
    CheckFailure(&fixture, {.cpu_seconds = 5}, ENOSYS, "", "cpuSeconds");
  }
  CHECK(OutputUnder(&fixture, {.cpu_seconds = 5}, "ulimit -t") == "5\n");
}

TEST_CASE("a process that uses up its CPU time is told by its signal") {
  RuntimeFixture fixture;
  SpawnRequest request = BashRequest("while :; do :; done");
  request.process_limits.cpu_seconds = 1;
  const auto process = fixture.RunToEnd(std::move(request));
  const auto record = fixture.recorder.Of(*process);
  CHECK(record.settled->exit.signal_number == SIGXCPU);
  CHECK(record.settled->cause == Cause::kNone);
}

TEST_CASE("limits of a whole range are refused by a range that cannot hold its processes to them") {
  RuntimeFixture fixture;
  SpawnRequest request = BashRequest("echo ran");
  request.range_limits.pids = 5;
  const auto process = fixture.RunToEnd(std::move(request));
  const auto record = fixture.recorder.Of(*process);
  REQUIRE(record.failed.has_value());
  CHECK(record.failed->stage == SpawnStage::kLimits);
  CHECK(record.failed->error == ENOTSUP);
  CHECK(record.failed->path.empty());
  CHECK(std::string_view(record.failed->step) == "pids");
}

}  // namespace quiesce::testing
