#include "process/process.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "os/file.h"
#include "range/cgroup_range.h"
#include "support/command.h"

namespace quiesce::testing {

TEST_CASE("a command's exit code and both streams are told once") {
  RuntimeFixture fixture;
  const auto process = fixture.RunToEnd(BashRequest("echo out; echo err >&2; exit 7"));
  REQUIRE(fixture.recorder.WaitQuiescent(*process));
  const auto record = fixture.recorder.Of(*process);
  CHECK(record.settled->exit.exit_code == 7);
  CHECK_FALSE(record.settled->exit.signal_number.has_value());
  CHECK(record.settled->cause == Cause::kNone);
  CHECK(record.settled_count == 1);
  CHECK(record.quiescent_count == 1);
  CHECK(TextOf(process->output()) == "out\n");
  CHECK(TextOf(process->error()) == "err\n");
  CHECK(process->pid() > 0);
}

TEST_CASE("a program that is not there fails at exec, a folder at chdir, and nothing is left") {
  RuntimeFixture fixture;
  SpawnRequest missing = BashRequest(":");
  missing.argv = StringBlock();
  missing.argv.Add("no-such-program-anywhere");
  const auto first = fixture.RunToEnd(std::move(missing));
  CHECK(first->pid() == -1);
  CHECK(fixture.recorder.Of(*first).failed->stage == SpawnStage::kExec);
  CHECK(fixture.recorder.Of(*first).failed->error == ENOENT);
  SpawnRequest file_as_folder = BashRequest(":");
  file_as_folder.cwd = "/etc/passwd";
  const auto second = fixture.RunToEnd(std::move(file_as_folder));
  CHECK(fixture.recorder.Of(*second).failed->stage == SpawnStage::kChdir);
  CHECK(fixture.recorder.Of(*second).failed->error == ENOTDIR);
  CHECK(fixture.recorder.Of(*second).quiescent_count == 0);
}

TEST_CASE("a text file without an interpreter line is run by the shell") {
  const std::string path = "/tmp/quiesce-no-interpreter-" + std::to_string(getpid());
  {
    const UniqueFd file(open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0700));
    REQUIRE(write(file.get(), "echo shell $1\n", 14) == 14);
  }
  RuntimeFixture fixture;
  SpawnRequest request = BashRequest("");
  request.argv = StringBlock();
  request.argv.Add(path);
  request.argv.Add("argument");
  const auto process = fixture.RunToEnd(std::move(request));
  CHECK(TextOf(process->output()) == "shell argument\n");
  REQUIRE(unlink(path.c_str()) == 0);
}

TEST_CASE("the deadline ends a command with TERM") {
  RuntimeFixture fixture;
  SpawnRequest request = BashRequest("sleep 60");
  request.deadline = Millis(50);
  const auto process = fixture.RunToEnd(std::move(request));
  const auto record = fixture.recorder.Of(*process);
  CHECK(record.settled->cause == Cause::kDeadline);
  CHECK(record.settled->exit.signal_number == SIGTERM);
  CHECK(fixture.recorder.WaitQuiescent(*process));
}

TEST_CASE("a command that ignores TERM is killed after the grace") {
  RuntimeFixture fixture;
  SpawnRequest request = BashRequest("trap '' TERM; echo ready; while :; do sleep 1; done");
  request.deadline = Millis(200);
  request.grace = Millis(100);
  const auto process = fixture.RunToEnd(std::move(request));
  CHECK(TextOf(process->output()) == "ready\n");
  CHECK(fixture.recorder.Of(*process).settled->exit.signal_number == SIGKILL);
  CHECK(fixture.recorder.WaitQuiescent(*process));
}

TEST_CASE("the first cause stands when the deadline comes after a request to end") {
  RuntimeFixture fixture;
  SpawnRequest request = BashRequest("trap 'sleep 0.2; exit 0' TERM; echo ready; while :; do sleep 0.01; done");
  request.deadline = Millis(300);
  request.grace = Millis(5000);
  const auto process = fixture.Spawn(std::move(request));
  fixture.runtime->Terminate(process);
  REQUIRE(fixture.recorder.WaitSettled(*process));
  CHECK(fixture.recorder.Of(*process).settled->cause == Cause::kTerminate);
}

TEST_CASE("a stopped command obeys the request to end") {
  RuntimeFixture fixture;
  const auto process = fixture.Spawn(BashRequest("kill -STOP $$"));
  fixture.runtime->Terminate(process);
  REQUIRE(fixture.recorder.WaitSettled(*process));
  CHECK(fixture.recorder.WaitQuiescent(*process));
}

TEST_CASE("a leftover that holds a silent stream delays the end of a command by the silence only") {
  RuntimeFixture fixture;
  SpawnRequest request = BashRequest("sleep 60 & echo done");
  request.grace = Millis(60000);
  const TimePoint start = Clock::now();
  const auto process = fixture.RunToEnd(std::move(request));
  CHECK(Clock::now() - start < std::chrono::seconds(5));
  const auto record = fixture.recorder.Of(*process);
  CHECK(record.settled->exit.exit_code == 0);
  CHECK_FALSE(record.settled->quiescent);
  CHECK(TextOf(process->output()) == "done\n");
  fixture.runtime->Terminate(process);
  CHECK(fixture.recorder.WaitQuiescent(*process));
  CHECK(fixture.recorder.Of(*process).settled->cause == Cause::kNone);
}

TEST_CASE("a leftover that never stops writing delays the end of a command by the grace at most") {
  RuntimeFixture fixture;
  SpawnRequest request = BashRequest("(while :; do echo tick; sleep 0.01; done) & exit 3");
  request.grace = Millis(300);
  const auto process = fixture.RunToEnd(std::move(request));
  CHECK(fixture.recorder.Of(*process).settled->exit.exit_code == 3);
  const uint64_t total = process->output()->total();
  const TimePoint limit = Clock::now() + std::chrono::seconds(5);
  while (process->output()->total() == total && Clock::now() < limit) usleep(1000);
  CHECK(process->output()->total() > total);
  fixture.runtime->Kill(process);
  CHECK(fixture.recorder.WaitQuiescent(*process));
}

TEST_CASE("leftovers that are to be ended are gone when the command settles") {
  RuntimeFixture fixture;
  SpawnRequest request = BashRequest("sleep 60 & echo done");
  request.leftovers = Leftovers::kTerminate;
  const auto process = fixture.RunToEnd(std::move(request));
  const auto record = fixture.recorder.Of(*process);
  CHECK(record.settled->quiescent);
  CHECK(record.settled->exit.exit_code == 0);
  CHECK(record.settled->cause == Cause::kNone);
}

TEST_CASE("data beyond a pipe's capacity reaches the command, and one that does not read it is no error") {
  RuntimeFixture fixture;
  SpawnRequest reads = BashRequest("wc -c");
  reads.input = {StreamMode::kData, UniqueFd(), std::string(1000000, 'x')};
  CHECK(TextOf(fixture.RunToEnd(std::move(reads))->output()) == "1000000\n");
  SpawnRequest ignores = BashRequest("exit 5");
  ignores.input = {StreamMode::kData, UniqueFd(), std::string(1000000, 'x')};
  const auto process = fixture.RunToEnd(std::move(ignores));
  CHECK(fixture.recorder.Of(*process).settled->exit.exit_code == 5);
}

TEST_CASE("an overflowing stream spills whole, and the file is complete when the command settles") {
  RuntimeFixture fixture;
  SpawnRequest request = BashRequest("seq 1 100000");
  request.output.collect = {1000, 1U << 20U};
  const auto process = fixture.RunToEnd(std::move(request));
  const OutputWindow window = process->output()->ReadFrom(0);
  CHECK(window.window_start == 588895 - 1000);
  auto file = ReadFileAt(AT_FDCWD, window.spill_path.c_str());
  REQUIRE(file.ok());
  CHECK(file.value().size() == 588895);
  CHECK(file.value().ends_with("99999\n100000\n"));
}

TEST_CASE("a stream over the cap of its spill leaves no file and keeps its tail") {
  RuntimeFixture fixture;
  SpawnRequest request = BashRequest("seq 1 100000");
  request.output.collect = {1000, 5000};
  const auto process = fixture.RunToEnd(std::move(request));
  const OutputWindow window = process->output()->ReadFrom(0);
  CHECK(window.spill_path.empty());
  CHECK(window.bytes.size() == 1000);
  CHECK(process->output()->total() == 588895);
}

TEST_CASE("nothing but the asked-for descriptors reaches the command") {
  RuntimeFixture fixture;
  const UniqueFd leaky(fcntl(0, F_DUPFD, 200));  // not close-on-exec, as other libraries open theirs
  SpawnRequest request = BashRequest("echo /proc/self/fd/*; cat <&8");
  request.attachment = "attached\n";
  const auto process = fixture.RunToEnd(std::move(request));
  CHECK(TextOf(process->output()) ==
        "/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3 /proc/self/fd/8\nattached\n");
}

TEST_CASE("an inherited stream is blocking for the command, even if the host made it non-blocking") {
  auto made = MakePipe();
  REQUIRE(made.ok());
  const UniqueFd own(fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0));
  REQUIRE(SetNonBlocking(made.value().writer.get()).ok());
  REQUIRE(dup2(made.value().writer.get(), STDOUT_FILENO) == STDOUT_FILENO);
  RuntimeFixture fixture;
  SpawnRequest request = BashRequest("grep ^flags /proc/self/fdinfo/1 >&2");
  request.output = {StreamMode::kInherit, UniqueFd(), {}};
  const auto process = fixture.RunToEnd(std::move(request));
  REQUIRE(dup2(own.get(), STDOUT_FILENO) == STDOUT_FILENO);
  CHECK(TextOf(process->error()) == "flags:\t01\n");
}

TEST_CASE("a command starts with default signals, an empty mask and a session of its own") {
  RuntimeFixture fixture;
  (void)signal(SIGPIPE, SIG_IGN);
  const auto process =
      fixture.RunToEnd(BashRequest("grep -E '^Sig(Blk|Ign)' /proc/self/status; ps -o sid= -p $$ | tr -d ' '"));
  (void)signal(SIGPIPE, SIG_DFL);
  CHECK(TextOf(process->output()) ==
        "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n" + std::to_string(process->pid()) + "\n");
}

TEST_CASE("many commands at once each get their own output") {
  RuntimeFixture fixture;
  std::vector<std::shared_ptr<Process>> processes;
  for (int i = 0; i < 100; ++i) processes.push_back(fixture.Spawn(BashRequest("echo " + std::to_string(i))));
  for (int i = 0; i < 100; ++i) {
    const auto& process = processes[static_cast<size_t>(i)];
    REQUIRE(fixture.recorder.WaitSettled(*process));
    CHECK(TextOf(process->output()) == std::to_string(i) + "\n");
  }
}

TEST_CASE("closing a runtime in the middle of everything leaves nothing") {
  RuntimeFixture fixture;
  std::vector<std::shared_ptr<Process>> processes;
  for (int i = 0; i < 30; ++i) processes.push_back(fixture.Spawn(BashRequest("trap '' TERM; sleep 60 & sleep 60")));
  CHECK(fixture.runtime->Close(std::chrono::seconds(5)));
  for (const auto& process : processes) CHECK(process->at_rest());
}

TEST_CASE("a cgroup holds what leaves the process group") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder));
  SpawnRequest request = BashRequest("setsid bash -c 'trap \"\" TERM; setsid sleep 60 & sleep 60' & sleep 60");
  request.deadline = Millis(200);
  request.grace = Millis(100);
  const auto process = fixture.RunToEnd(std::move(request));
  CHECK(fixture.recorder.WaitQuiescent(*process));
}

TEST_CASE("a command that runs in a cgroup after another was killed there lives") {
  const std::string folder = CgroupFolderOrSkip();
  if (folder.empty()) return;
  RuntimeFixture fixture(std::make_shared<CgroupRangeSource>(folder));
  for (int i = 0; i < 10; ++i) {
    const auto killed = fixture.Spawn(BashRequest("sleep 60"));
    fixture.runtime->Kill(killed);
    REQUIRE(fixture.recorder.WaitQuiescent(*killed));
    const auto process = fixture.RunToEnd(BashRequest("exit 4"));
    CHECK(fixture.recorder.Of(*process).settled->exit.exit_code == 4);
  }
}

}  // namespace quiesce::testing
