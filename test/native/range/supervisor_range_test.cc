#include "range/supervisor_range.h"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sstream>
#include <vector>

#include "os/file.h"
#include "process/supervisor_probe.h"
#include "support/command.h"
#include "support/confinement.h"
#include "support/supervised.h"
#include "support/tidy.h"

namespace quiesce::testing {

TEST_CASE("a supervised command's exit, streams and usage are its own") {
  const Tidy tidy;
  // More than the command will ever need, and its parent's by any clone.
  std::vector<char> large(size_t{96} * 1024 * 1024, 'x');
  RuntimeFixture fixture(Supervisors());
  const auto process = fixture.RunToEnd(BashRequest("echo out; echo err >&2; for i in {1..20000}; do :; done; exit 7"));
  const auto record = fixture.recorder.Of(*process);
  CHECK(record.settled->exit.exit_code == 7);
  CHECK_FALSE(record.settled->exit.signal_number.has_value());
  CHECK(record.settled->quiescent);
  CHECK(TextOf(process->output()) == "out\n");
  CHECK(TextOf(process->error()) == "err\n");
  CHECK(record.settled->exit.max_rss_bytes > uint64_t{1} << 20U);
  CHECK(record.settled->exit.max_rss_bytes < large.size() / 2);
  CHECK(*record.settled->exit.user_ms + *record.settled->exit.system_ms > 0);
  const auto killed = fixture.RunToEnd(BashRequest("kill -KILL $$"));
  CHECK(fixture.recorder.Of(*killed).settled->exit.signal_number == SIGKILL);
}

TEST_CASE("a supervised command that cannot be started fails as one without a supervisor") {
  const Tidy tidy;
  const std::string path = "/tmp/quiesce-supervised-" + std::to_string(getpid());
  {
    const UniqueFd file(open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0700));
    REQUIRE(write(file.get(), "echo shell $1\n", 14) == 14);
  }
  RuntimeFixture fixture(Supervisors());
  struct Case {
    std::string program;
    std::string cwd;
    SpawnStage stage;
    int error;
  };
  const std::vector<Case> cases = {{"no-such-program-anywhere", "/", SpawnStage::kExec, ENOENT},
                                   {"/etc/passwd", "/", SpawnStage::kExec, EACCES},
                                   {"/etc/passwd/below", "/", SpawnStage::kExec, ENOTDIR},
                                   {"true", "/no/such", SpawnStage::kChdir, ENOENT}};
  for (const Case& wrong : cases) {
    SpawnRequest request = BashRequest("");
    request.argv = StringBlock();
    request.argv.Add(wrong.program);
    request.cwd = wrong.cwd;
    const auto process = fixture.RunToEnd(std::move(request));
    const auto record = fixture.recorder.Of(*process);
    REQUIRE(record.failed.has_value());
    CHECK(record.failed->stage == wrong.stage);
    CHECK(record.failed->error == wrong.error);
    CHECK(process->pid() == -1);
  }
  SpawnRequest script = BashRequest("");
  script.argv = StringBlock();
  script.argv.Add(path);
  script.argv.Add("argument");
  CHECK(TextOf(fixture.RunToEnd(std::move(script))->output()) == "shell argument\n");
  REQUIRE(unlink(path.c_str()) == 0);
}

TEST_CASE("a supervised command starts as every other: default signals, its own session, no strange descriptor") {
  const Tidy tidy;
  RuntimeFixture fixture(Supervisors());
  const UniqueFd leaky(fcntl(0, F_DUPFD, 200));  // not close-on-exec, as other libraries open theirs
  SpawnRequest request = BashRequest(
      "grep -E '^Sig(Blk|Ign)' /proc/self/status; ps -o sid=,pgid= -p $$ | tr -s ' '; echo /proc/self/fd/*; cat <&8; "
      "cat /proc/self/oom_score_adj /proc/$PPID/oom_score_adj");
  request.attachment = "attached\n";
  const auto process = fixture.RunToEnd(std::move(request));
  auto own = ReadFileAt(AT_FDCWD, "/proc/self/oom_score_adj");
  REQUIRE(own.ok());
  const std::string pid = std::to_string(process->pid());
  std::string text = TextOf(process->output());
  CHECK(
      text.ends_with("attached\n" + std::to_string(std::min(std::stoi(own.value()) + 500, 1000)) + "\n" + own.value()));
  CHECK(text.starts_with("SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n"));
  CHECK(text.find(pid + " " + pid + "\n") != std::string::npos);
  CHECK(text.find("/proc/self/fd/0 /proc/self/fd/1 /proc/self/fd/2 /proc/self/fd/3 /proc/self/fd/8\n") !=
        std::string::npos);
}

TEST_CASE("a stream ends when the command closes it, whatever its supervisor does") {
  const Tidy tidy;
  RuntimeFixture fixture(Supervisors());
  auto pipe = MakePipe();
  REQUIRE(pipe.ok());
  SpawnRequest request = BashRequest("exec >&-; sleep 60");
  request.output = {StreamMode::kDescriptor, std::move(pipe.value().writer), {}};
  const auto process = fixture.Spawn(std::move(request));
  char byte = 0;
  CHECK(read(pipe.value().reader.get(), &byte, 1) == 0);
  CHECK(IsRunning(process->pid()));
  fixture.runtime->Kill(process);
  CHECK(fixture.recorder.WaitQuiescent(*process));
}

TEST_CASE("an orphan in a session of its own is held, asked once and ended") {
  const Tidy tidy;
  RuntimeFixture fixture(Supervisors());
  const std::string orphan = "trap \"echo asked\" TERM; echo $BASHPID; while :; do sleep 0.01; done";
  SpawnRequest request = BashRequest("(setsid bash -c '" + orphan + "' &); exit 3");
  request.grace = Millis(300);
  const auto process = fixture.RunToEnd(std::move(request));
  auto record = fixture.recorder.Of(*process);
  CHECK(record.settled->exit.exit_code == 3);
  CHECK_FALSE(record.settled->quiescent);
  REQUIRE(Eventually([&] { return !TextOf(process->output()).empty(); }));
  const pid_t pid = std::stoi(TextOf(process->output()));
  CHECK(IsRunning(pid));
  fixture.runtime->Terminate(process);
  REQUIRE(fixture.recorder.WaitQuiescent(*process));
  CHECK_FALSE(IsRunning(pid));
  CHECK(TextOf(process->output()) == std::to_string(pid) + "\nasked\n");
}

TEST_CASE("everybody below a command is asked, at any depth, and a stopped one obeys") {
  const Tidy tidy;
  RuntimeFixture fixture(Supervisors());
  SpawnRequest request = BashRequest(
      "trap 'wait; exit 0' TERM; for i in 1 2 3; do setsid bash -c 'setsid bash -c \"trap \\\"echo leaf; exit\\\" "
      "TERM; "
      "echo up; kill -STOP \\$BASHPID; while :; do sleep 0.01; done\" & trap \"wait; exit\" TERM; wait' & done; wait");
  request.grace = Millis(20000);
  const auto process = fixture.Spawn(std::move(request));
  REQUIRE(Eventually([&] { return TextOf(process->output()) == "up\nup\nup\n"; }));
  fixture.runtime->Terminate(process);
  REQUIRE(fixture.recorder.WaitQuiescent(*process));
  CHECK(fixture.recorder.Of(*process).settled->exit.exit_code == 0);
  CHECK(TextOf(process->output()) == "up\nup\nup\nleaf\nleaf\nleaf\n");
}

TEST_CASE("a supervised command that ignores TERM is killed after the grace with all that it has started") {
  const Tidy tidy;
  RuntimeFixture fixture(Supervisors());
  SpawnRequest request =
      BashRequest("trap '' TERM; setsid sleep 60 & (setsid sleep 60 &); echo ready; sleep 60; sleep 60");
  request.deadline = Millis(300);
  request.grace = Millis(100);
  const auto process = fixture.RunToEnd(std::move(request));
  CHECK(fixture.recorder.Of(*process).settled->exit.signal_number == SIGKILL);
  CHECK(fixture.recorder.Of(*process).settled->cause == Cause::kDeadline);
  CHECK(fixture.recorder.WaitQuiescent(*process));
}

TEST_CASE("leftovers of a supervised command that are to be ended are gone when it settles") {
  const Tidy tidy;
  RuntimeFixture fixture(Supervisors());
  SpawnRequest request = BashRequest("(setsid sleep 60 &); echo done");
  request.leftovers = Leftovers::kTerminate;
  const auto process = fixture.RunToEnd(std::move(request));
  CHECK(fixture.recorder.Of(*process).settled->quiescent);
  CHECK(fixture.recorder.Of(*process).settled->exit.exit_code == 0);
}

TEST_CASE("a supervisor that its command has stopped or sent every other signal still ends it") {
  const Tidy tidy;
  RuntimeFixture fixture(Supervisors());
  SpawnRequest request = BashRequest(
      "for i in HUP INT QUIT TERM USR1 CHLD ALRM; do kill -$i $PPID; done; kill -STOP $PPID; echo; sleep 60");
  request.grace = Millis(30000);
  const auto process = fixture.Spawn(std::move(request));
  REQUIRE(Eventually([&] { return TextOf(process->output()) == "\n"; }));
  REQUIRE(Eventually([&] { return StateOf(ParentOf(process->pid())) == 'T'; }));
  fixture.runtime->Terminate(process);
  REQUIRE(fixture.recorder.WaitQuiescent(*process));
  CHECK(fixture.recorder.Of(*process).settled->exit.signal_number == SIGTERM);
  CHECK(fixture.recorder.Of(*process).unobservable_count == 0);
}

TEST_CASE("a host that ignores SIGCHLD still hears everything of a supervised command") {
  (void)signal(SIGCHLD, SIG_IGN);
  {
    RuntimeFixture fixture(Supervisors());
    const auto process = fixture.RunToEnd(BashRequest("(setsid sleep 60 &); exit 5"));
    fixture.runtime->Terminate(process);
    CHECK(fixture.recorder.WaitQuiescent(*process));
    const auto record = fixture.recorder.Of(*process);
    CHECK(record.settled->exit.exit_code == 5);
    CHECK(record.settled->exit.max_rss_bytes.has_value());
    CHECK(record.unobservable_count == 0);
  }
  (void)signal(SIGCHLD, SIG_DFL);
}

TEST_CASE("who kills a supervisor ends its command, which is told once as a range that cannot be observed") {
  const Tidy tidy;
  RuntimeFixture fixture(Supervisors());
  const auto process = fixture.Spawn(BashRequest("sleep 60 & echo $!; kill -KILL $PPID; sleep 60"));
  REQUIRE(fixture.recorder.WaitQuiescent(*process));
  REQUIRE(fixture.recorder.WaitSettled(*process));
  const auto record = fixture.recorder.Of(*process);
  CHECK(record.unobservable_count == 1);
  CHECK_FALSE(record.settled->exit.exit_code.has_value());
  // Known where the kernel still tells it of a process that somebody else has reaped.
  CHECK(record.settled->exit.signal_number.value_or(SIGKILL) == SIGKILL);
  CHECK(std::string(process->trouble().syscall) == "supervisor");
  CHECK_FALSE(IsRunning(process->pid()));
  CHECK_FALSE(IsRunning(std::stoi(TextOf(process->output()))));
}

TEST_CASE("a supervisor that is killed after its command has ended takes the leftovers of the group with it") {
  const Tidy tidy;
  RuntimeFixture fixture(Supervisors());
  const auto process = fixture.RunToEnd(BashRequest("sleep 60 & echo $!; exit 4"));
  const pid_t leftover = std::stoi(TextOf(process->output()));
  const pid_t supervisor = ParentOf(leftover);
  REQUIRE(ParentOf(supervisor) == getpid());
  REQUIRE(kill(supervisor, SIGKILL) == 0);
  REQUIRE(fixture.recorder.WaitQuiescent(*process));
  CHECK_FALSE(IsRunning(leftover));
  const auto record = fixture.recorder.Of(*process);
  CHECK(record.settled->exit.exit_code == 4);
  CHECK(record.unobservable_count == 1);
}

namespace {

struct CrashedHost {
  pid_t orphan = 0;
  pid_t supervisor = 0;
  pid_t command = 0;
  pid_t copy = 0;  // a fork of the host, which has all its descriptors
};

// A host that has started a command and is killed then.
CrashedHost CrashHost(HostCrash host_crash) {
  auto pipe = MakePipe();
  REQUIRE(pipe.ok());
  const pid_t host = fork();
  if (host == 0) {
    RuntimeFixture fixture(Supervisors(host_crash));
    const auto process = fixture.Spawn(BashRequest("(setsid sleep 60 & echo $!); echo $PPID; sleep 60"));
    const bool up = Eventually([&] { return std::ranges::count(TextOf(process->output()), '\n') == 2; });
    const pid_t copy = fork();
    while (copy == 0) pause();
    const std::string pids =
        TextOf(process->output()) + std::to_string(process->pid()) + " " + std::to_string(copy) + "\n";
    (void)!write(pipe.value().writer.get(), pids.data(), up ? pids.size() : 0);
    (void)kill(getpid(), SIGKILL);
  }
  pipe.value().writer.Reset();
  std::string text(64, ' ');
  const ssize_t size = read(pipe.value().reader.get(), text.data(), text.size());
  siginfo_t info{};
  REQUIRE(waitid(P_PID, static_cast<id_t>(host), &info, WEXITED) == 0);
  std::istringstream pids(text.substr(0, size > 0 ? static_cast<size_t>(size) : 0));
  CrashedHost crashed;
  pids >> crashed.orphan >> crashed.supervisor >> crashed.command >> crashed.copy;
  REQUIRE(crashed.copy > 0);
  return crashed;
}

bool AreGone(const CrashedHost& host) {
  return Eventually([&] { return !IsRunning(host.orphan) && !IsRunning(host.command) && !IsRunning(host.supervisor); });
}

}  // namespace

TEST_CASE("a supervisor ends with everything below it when its host has gone, whoever still has its descriptors") {
  const CrashedHost host = CrashHost(HostCrash::kEnd);
  CHECK(AreGone(host));
  CHECK(IsRunning(host.copy));
  REQUIRE(kill(host.copy, SIGKILL) == 0);
}

TEST_CASE("a supervisor that is to leave everything stays without its host until nobody is left") {
  const CrashedHost host = CrashHost(HostCrash::kLeave);
  REQUIRE(kill(host.copy, SIGKILL) == 0);
  REQUIRE(Eventually([&] { return !IsRunning(host.copy); }));
  CHECK(IsRunning(host.orphan));
  CHECK(IsRunning(host.command));
  CHECK(IsRunning(host.supervisor));
  REQUIRE(kill(host.command, SIGKILL) == 0);
  CHECK(Eventually([&] { return !IsRunning(host.command); }));
  CHECK(IsRunning(host.supervisor));
  REQUIRE(kill(host.orphan, SIGKILL) == 0);
  CHECK(AreGone(host));
}

TEST_CASE("many supervised commands at once each get their own output, and closing in the middle leaves nothing") {
  const Tidy tidy;
  RuntimeFixture fixture(Supervisors());
  std::vector<std::shared_ptr<Process>> processes;
  for (int i = 0; i < 100; ++i) processes.push_back(fixture.Spawn(BashRequest("echo " + std::to_string(i))));
  for (size_t i = 0; i < processes.size(); ++i) {
    REQUIRE(fixture.recorder.WaitSettled(*processes[i]));
    CHECK(TextOf(processes[i]->output()) == std::to_string(i) + "\n");
  }
  for (int i = 0; i < 30; ++i) {
    processes.push_back(fixture.Spawn(BashRequest("trap '' TERM; (setsid sleep 60 &) ; sleep 60")));
  }
  CHECK(fixture.runtime->Close(std::chrono::seconds(10)));
  for (const auto& process : processes) CHECK(process->at_rest());
}

TEST_CASE("a confined command is supervised inside its confinement") {
  if (!CanConfine()) return;
  const Tidy tidy;
  RuntimeFixture fixture(Supervisors());
  const Place place;
  SpawnRequest request = Confined("trap '' TERM; (setsid sleep 60 &); touch " + place.folder() +
                                      "/outside 2>/dev/null || echo confined; exec sleep 60",
                                  SourceOf(fixture, place));
  request.grace = Millis(100);
  const auto process = fixture.Spawn(std::move(request));
  REQUIRE(Eventually([&] { return !TextOf(process->output()).empty(); }));
  CHECK(TextOf(process->output()) == "confined\n");
  const pid_t supervisor = ParentOf(process->pid());
  auto score = ReadFileAt(AT_FDCWD, ("/proc/" + std::to_string(supervisor) + "/oom_score_adj").c_str());
  auto own = ReadFileAt(AT_FDCWD, "/proc/self/oom_score_adj");
  REQUIRE((score.ok() && own.ok()));
  CHECK(score.value() == own.value());
  fixture.runtime->Terminate(process);
  REQUIRE(fixture.recorder.WaitQuiescent(*process));
  CHECK(fixture.recorder.Of(*process).settled->exit.signal_number == SIGKILL);
  CHECK(fixture.recorder.Of(*process).unobservable_count == 0);
}

TEST_CASE("the probe of supervisors proves the real program and names what is wrong with another") {
  const Tidy tidy;
  CHECK(ProbeSupervisor(QUIESCE_SUPERVISOR).ok());
  const Status missing = ProbeSupervisor("/no/such/program");
  REQUIRE_FALSE(missing.ok());
  CHECK(missing.error().number == ENOENT);
  CHECK(missing.error().path == "/no/such/program");
  const Status text = ProbeSupervisor("/etc/passwd");
  REQUIRE_FALSE(text.ok());
  CHECK(text.error().number == ENOEXEC);
}

}  // namespace quiesce::testing
