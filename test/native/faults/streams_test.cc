// Streams, spill files and the event loop itself under faults.
#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>

#include "range/cgroup_range.h"
#include "support/command.h"
#include "support/faults.h"
#include "support/tidy.h"

namespace quiesce::testing {

namespace {

SpawnRequest SpillingRequest() {
  SpawnRequest request = BashRequest("head -c 300000 /dev/zero | tr '\\0' x; echo end");
  request.output.collect = {1000, 1 << 20};
  return request;
}

// The command loses nothing but its spill file.
void CheckSpillLost(RuntimeFixture* fixture, int error, const char* call) {
  const auto process = fixture->RunToEnd(SpillingRequest());
  const auto record = fixture->recorder.Of(*process);
  REQUIRE(record.settled.has_value());
  CHECK(record.settled->exit.exit_code == 0);
  CHECK(process->output()->total() == 300004);
  const OutputWindow window = process->output()->ReadFrom(0);
  CHECK(std::string(window.bytes.end() - 4, window.bytes.end()) == "end\n");
  CHECK(window.spill_path.empty());
  const auto lost = process->output()->spill_error();
  REQUIRE(lost.has_value());
  CHECK(lost->number == error);
  CHECK(std::string(lost->syscall) == call);
  std::error_code absent;
  for (const auto& entry : std::filesystem::directory_iterator(fixture->spill_path, absent)) {
    CHECK(entry.path().filename() == "owner");
  }
}

void CheckSpills(RuntimeFixture* fixture) {
  const auto process = fixture->RunToEnd(SpillingRequest());
  CHECK(std::filesystem::file_size(process->output()->ReadFrom(0).spill_path) == 300004);
  CHECK_FALSE(process->output()->spill_error().has_value());
}

}  // namespace

TEST_CASE("a spill that a full or broken disk refuses is given up, named, and its file is removed") {
  const Tidy tidy;
  RuntimeFixture fixture;
  for (const int error : {ENOSPC, EIO, EDQUOT}) {
    for (const int skip : {0, 2}) {
      const Fault fault(Call::kWrite, error, {.skip = skip, .path_part = "quiesce-native-test"});
      CheckSpillLost(&fixture, error, "write");
    }
    const Fault fault(Call::kClose, error, {.path_part = "quiesce-native-test"});
    CheckSpillLost(&fixture, error, "close");
  }
  CheckSpills(&fixture);
}

TEST_CASE("a spill whose folder or file cannot be made is given up, and works again when it can") {
  const Tidy tidy;
  RuntimeFixture fixture;
  for (const int error : {EROFS, EACCES, ENOSPC}) {
    const Fault fault(Call::kMakeDirectory, error, {.path_part = "quiesce-native-test"});
    CheckSpillLost(&fixture, error, "mkdir");
  }
  for (const int error : {EMFILE, ENFILE, EACCES, EROFS}) {
    const Fault fault(Call::kOpen, error, {.path_part = "quiesce-native-test"});
    CheckSpillLost(&fixture, error, "open");
  }
  CheckSpills(&fixture);
}

TEST_CASE("a spill folder that somebody removed costs the file, not the command") {
  const Tidy tidy;
  RuntimeFixture fixture;
  CheckSpills(&fixture);
  std::filesystem::remove_all(fixture.spill_path);
  CheckSpillLost(&fixture, ENOENT, "open");
}

TEST_CASE("without a spill thread spilling goes on in the reactor") {
  const Tidy tidy;
  RuntimeFixture fixture;
  (void)fixture.RunToEnd(BashRequest(":"));
  const Fault fault(Call::kThread, EAGAIN);
  CheckSpills(&fixture);
  CHECK(fault.hits() > 0);
}

TEST_CASE("without a spawner thread the command fails at clone") {
  const Tidy tidy;
  RuntimeFixture fixture;
  {
    const Fault fault(Call::kThread, EAGAIN);
    const auto process = fixture.RunToEnd(BashRequest(":"));
    const auto record = fixture.recorder.Of(*process);
    REQUIRE(record.failed.has_value());
    CHECK(record.failed->stage == SpawnStage::kClone);
    CHECK(record.failed->error == EAGAIN);
  }
  CHECK(TextOf(fixture.RunToEnd(BashRequest("echo next"))->output()) == "next\n");
}

TEST_CASE("without a stack for the child the command fails at clone") {
  const Tidy tidy;
  for (const Call call : {Call::kMmap, Call::kMprotect}) {
    RuntimeFixture fixture;
    {
      const Fault fault(call, ENOMEM);
      const auto process = fixture.RunToEnd(BashRequest(":"));
      const auto record = fixture.recorder.Of(*process);
      REQUIRE(record.failed.has_value());
      CHECK(record.failed->stage == SpawnStage::kClone);
      CHECK(record.failed->error == ENOMEM);
    }
    CHECK(TextOf(fixture.RunToEnd(BashRequest("echo next"))->output()) == "next\n");
  }
}

TEST_CASE("an engine that cannot start names the call, and leaves nothing") {
  const Tidy tidy;
  const struct {
    Call call;
    int error;
    const char* name;
  } faults[] = {{Call::kEpollCreate, EMFILE, "epoll_create1"},
                {Call::kEventFd, ENFILE, "eventfd"},
                {Call::kEpollControl, ENOSPC, "epoll_ctl"},
                {Call::kOpen, EMFILE, "open"},
                {Call::kThread, EAGAIN, "pthread_create"}};
  for (const auto& [call, error, name] : faults) {
    const Fault fault(call, error);
    const auto started = Engine::Start();
    REQUIRE_FALSE(started.ok());
    CHECK(started.error().number == error);
    CHECK(std::string(started.error().syscall) == name);
  }
}

TEST_CASE("calls that are interrupted and move one byte at a time change no result") {
  const Tidy tidy;
  RuntimeFixture fixture;
  const RoughSystem rough(1);
  SpawnRequest request = BashRequest("cat; echo err >&2");
  request.input = {StreamMode::kData, UniqueFd(), "some words for the input"};
  const auto process = fixture.RunToEnd(std::move(request));
  CHECK(TextOf(process->output()) == "some words for the input");
  CHECK(TextOf(process->error()) == "err\n");
  CHECK(fixture.recorder.WaitQuiescent(*process));
  CHECK(rough.interruptions() > 10);
}

TEST_CASE("interrupted and short calls leave a spill file whole") {
  const Tidy tidy;
  RuntimeFixture fixture;
  const RoughSystem rough(700);
  CheckSpills(&fixture);
}

TEST_CASE("interrupted and short calls end a cgroup's members as well") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  const Tidy tidy(folder);
  RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder));
  const RoughSystem rough(1);
  const auto process = fixture.Spawn(BashRequest("for i in 1 2 3; do sleep 60 & done; wait"));
  fixture.runtime->Terminate(process);
  CHECK(fixture.recorder.WaitQuiescent(*process));
}

TEST_CASE("where epoll takes no descriptor everything is polled") {
  const Tidy tidy;
  for (const int error : {ENOMEM, ENOSPC, EPERM}) {
    RuntimeFixture fixture;
    const Fault fault(Call::kEpollControl, error);
    SpawnRequest request = BashRequest("wc -c; sleep 0.1; echo late; sleep 0.1 & exit 5");
    request.input = {StreamMode::kData, UniqueFd(), std::string(200000, 'x')};
    const auto process = fixture.RunToEnd(std::move(request));
    CHECK(fixture.recorder.Of(*process).settled->exit.exit_code == 5);
    CHECK(TextOf(process->output()) == "200000\nlate\n");
    CHECK(fixture.recorder.WaitQuiescent(*process));
    CHECK(fault.hits() > 0);
  }
}

TEST_CASE("a paused stream that epoll no longer takes is polled to its end") {
  const Tidy tidy;
  RuntimeFixture fixture;
  const Delay slow_disk(Call::kWrite, 10000, "quiesce-native-test");
  SpawnRequest request = BashRequest("head -c 40000000 /dev/zero; echo end");
  request.output.collect = {1000, 100 << 20};
  const auto process = fixture.Spawn(std::move(request));
  REQUIRE(process->pid() > 0);
  const Fault fault(Call::kEpollControl, ENOMEM);
  REQUIRE(fixture.recorder.WaitSettled(*process));
  CHECK(process->output()->total() == 40000004);
  CHECK(fault.hits() > 0);
}

TEST_CASE("an epoll that no longer waits costs no processor time, and commands still end") {
  const Tidy tidy;
  RuntimeFixture fixture;
  (void)fixture.RunToEnd(BashRequest(":"));
  const Fault fault(Call::kEpollWait, EBADF);
  SpawnRequest request = BashRequest("sleep 0.3; echo done; sleep 60");
  request.deadline = Millis(600);
  const auto process = fixture.RunToEnd(std::move(request));
  CHECK(TextOf(process->output()) == "done\n");
  CHECK(fixture.recorder.WaitQuiescent(*process));
  CHECK(fixture.recorder.Of(*process).settled->cause == Cause::kDeadline);
  CHECK(fault.hits() < 1000);
}

}  // namespace quiesce::testing
