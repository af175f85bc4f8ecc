#include "terminal/terminal.h"

#include <dirent.h>
#include <doctest/doctest.h>

#include <csignal>
#include <ctime>

#include "range/cgroup_range.h"
#include "support/supervised.h"
#include "support/terminals.h"
#include "terminal/foreground.h"

namespace quiesce::testing {

namespace {

class TerminalFixture {
 public:
  explicit TerminalFixture(std::shared_ptr<RangeSource> ranges = nullptr) : commands_(std::move(ranges)) {}

  Runtime::InTerminal Start(const std::string& script, TerminalSize size = {40, 160}) {
    return Start(TerminalRequest(script), size);
  }
  Runtime::InTerminal Start(SpawnRequest request, TerminalSize size = {40, 160}) {
    return commands_.runtime->SpawnInTerminal(commands_.engine, std::move(request), size, &recorder);
  }

  Recorder& commands() { return commands_.recorder; }
  Runtime& runtime() { return *commands_.runtime; }

  TerminalRecorder recorder;  // outlives the runtime

 private:
  RuntimeFixture commands_;
};

std::vector<std::shared_ptr<RangeSource>> AllRanges() {
  std::vector<std::shared_ptr<RangeSource>> all{nullptr, Supervisors()};
  if (const std::string folder = CgroupFolderOrSkip(); !folder.empty()) {
    all.push_back(std::make_shared<CgroupRangeSource>(folder));
  }
  return all;
}

double CpuMs() {
  timespec spent{};
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
  return static_cast<double>(spent.tv_sec) * 1e3 + static_cast<double>(spent.tv_nsec) * 1e-6;
}

size_t OpenDescriptors() {
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(opendir("/proc/self/fd"), closedir);
  size_t count = 0;
  while (readdir(folder.get()) != nullptr) ++count;  // NOLINT(concurrency-mt-unsafe): the stream is ours alone
  return count;
}

}  // namespace

TEST_CASE("a command leads a session of its own with the terminal as its controlling one, in every range") {
  for (const auto& ranges : AllRanges()) {
    TerminalFixture fixture(ranges);
    const auto at =
        fixture.Start(": </dev/tty && [ -t 0 ] && [ -t 1 ] && [ -t 2 ] && stty size && ps -o sid=,tpgid= $$");
    const std::string text = fixture.recorder.TakeAll(at);
    const std::string pid = std::to_string(at.process->pid());
    CAPTURE(text);
    CHECK(text.starts_with("40 160\r\n"));
    CHECK(text.find(pid) != text.rfind(pid));
    REQUIRE(fixture.commands().WaitSettled(*at.process));
    CHECK(fixture.commands().Of(*at.process).settled->exit.exit_code == 0);
    CHECK(fixture.commands().WaitQuiescent(*at.process));
  }
}

TEST_CASE("what is written right before the end arrives whole, each time") {
  TerminalFixture fixture;
  for (int round = 0; round < 200; ++round) {
    const auto at = fixture.Start("exec head -c 20480 /dev/zero");
    REQUIRE(fixture.recorder.TakeAll(at).size() == 20480);
  }
}

TEST_CASE("a command waits while nobody takes its output, and nothing is lost") {
  TerminalFixture fixture;
  const auto at = fixture.Start("stty -onlcr; seq 1 200000; echo end");
  REQUIRE(Eventually([&] { return StateOf(at.process->pid()) == 'S'; }));
  const std::string text = fixture.recorder.TakeAll(at);
  CHECK(text.size() == 1288895 + 4);
  CHECK(text.ends_with("\n199999\n200000\nend\n"));
}

TEST_CASE("a write is told when the kernel has taken it, and what waits at the end is not") {
  TerminalFixture fixture;
  const auto at = fixture.Start("stty raw -echo; echo ready; head -c 100000 | wc -c");
  std::string text;
  REQUIRE(fixture.recorder.TakeUntil(at, &text, "ready"));
  CHECK(at.terminal->Write(std::string(100000, 'x')) == WriteAnswer::kQueued);
  CHECK(fixture.recorder.WaitWritten(at.process->id(), 1));
  CHECK(fixture.recorder.TakeUntil(at, &text, "100000"));
  fixture.recorder.TakeAll(at);
  CHECK(at.terminal->Write("x") == WriteAnswer::kEnded);
}

TEST_CASE("a program that does not read costs no processor time") {
  TerminalFixture fixture;
  const auto at = fixture.Start("stty raw -echo; echo ready; sleep 1");
  std::string text;
  REQUIRE(fixture.recorder.TakeUntil(at, &text, "ready"));
  const double before = CpuMs();
  CHECK(at.terminal->Write(std::string(1000000, 'x')) == WriteAnswer::kQueued);
  fixture.recorder.TakeAll(at);
  CHECK(CpuMs() - before < 200);
}

TEST_CASE("input over what is kept, or over the limit of a line, is refused") {
  TerminalFixture fixture;
  const auto at = fixture.Start("read -r line; echo ${#line}; stty raw -echo; echo ready; sleep 60");
  std::string text;
  CHECK(at.terminal->Write(std::string(kMostLineBytes + 1, 'x')) == WriteAnswer::kLineTooLong);
  CHECK(at.terminal->Write(std::string(kMostLineBytes, 'x') + "\n") == WriteAnswer::kQueued);
  REQUIRE(fixture.recorder.TakeUntil(at, &text, std::to_string(kMostLineBytes)));
  REQUIRE(fixture.recorder.TakeUntil(at, &text, "ready"));
  CHECK(at.terminal->Write(std::string(size_t{16} * 1024 * 1024, 'x')) == WriteAnswer::kQueued);
  CHECK(at.terminal->Write(std::string(size_t{1} * 1024 * 1024, 'x')) == WriteAnswer::kFull);
  fixture.runtime().Terminate(at.process);
  CHECK(fixture.commands().WaitQuiescent(*at.process));
}

TEST_CASE("the foreground group is known, and whether it waits for the terminal") {
  for (const auto& ranges : AllRanges()) {
    TerminalFixture fixture(ranges);
    const auto at = fixture.Start("echo ready; read -r x; echo more; sleep 60");
    std::string text;
    REQUIRE(fixture.recorder.TakeUntil(at, &text, "ready"));
    const pid_t pid = at.process->pid();
    CHECK(at.terminal->foreground() == pid);
    CHECK(Eventually([&] { return WaitsForInput(pid, at.terminal->device()); }));
    CHECK_FALSE(WaitsForInput(pid, at.terminal->device() + 1));
    CHECK(at.terminal->Write("x\n") == WriteAnswer::kQueued);
    REQUIRE(fixture.recorder.TakeUntil(at, &text, "more"));
    CHECK(Eventually([&] { return !WaitsForInput(pid, at.terminal->device()); }));
    fixture.runtime().Terminate(at.process);
    REQUIRE(fixture.commands().WaitQuiescent(*at.process));
    CHECK(at.terminal->foreground() == 0);
  }
}

TEST_CASE("a new size reaches the command, and after the end it is nothing") {
  TerminalFixture fixture;
  const auto at = fixture.Start("trap 'stty size; exit' WINCH; echo ready; while :; do sleep 0.02; done");
  std::string text;
  REQUIRE(fixture.recorder.TakeUntil(at, &text, "ready"));
  at.terminal->Resize({11, 77});
  CHECK(fixture.recorder.TakeUntil(at, &text, "11 77"));
  fixture.recorder.TakeAll(at);
  at.terminal->Resize({1, 1});
}

TEST_CASE("an interactive shell, which ignores TERM, ends without its grace, in every range") {
  for (const auto& ranges : AllRanges()) {
    TerminalFixture fixture(ranges);
    const auto at = fixture.Start("exec bash --noprofile --norc -i");
    REQUIRE(Eventually([&] { return WaitsForInput(at.process->pid(), at.terminal->device()); }));
    fixture.runtime().Terminate(at.process);
    REQUIRE(fixture.commands().WaitSettled(*at.process));
    CHECK(fixture.commands().Of(*at.process).settled->exit.signal_number == SIGHUP);
    CHECK(fixture.commands().WaitQuiescent(*at.process));
  }
}

TEST_CASE("who listens to TERM gets no hang-up") {
  TerminalFixture fixture;
  const auto at = fixture.Start("trap 'echo cleaned; exit 5' TERM; echo ready; while :; do sleep 0.02; done");
  std::string text;
  REQUIRE(fixture.recorder.TakeUntil(at, &text, "ready"));
  fixture.runtime().Terminate(at.process);
  CHECK(fixture.recorder.TakeUntil(at, &text, "cleaned"));
  REQUIRE(fixture.commands().WaitSettled(*at.process));
  CHECK(fixture.commands().Of(*at.process).settled->exit.exit_code == 5);
}

TEST_CASE("what a command leaves does not hold its end back, and is ended behind it") {
  TerminalFixture fixture;
  const auto at = fixture.Start("trap '' HUP TERM; sleep 60 & while :; do echo flood; done & exit 3");
  (void)fixture.recorder.TakeAll(at);
  REQUIRE(fixture.commands().WaitSettled(*at.process));
  const auto record = fixture.commands().Of(*at.process);
  CHECK(record.settled->exit.exit_code == 3);
  CHECK_FALSE(record.settled->quiescent);
  CHECK(fixture.commands().WaitQuiescent(*at.process));
}

TEST_CASE("a command that cannot be started leaves a terminal that has ended") {
  TerminalFixture fixture;
  SpawnRequest request = TerminalRequest("");
  request.cwd = "/no/such/folder";
  const auto at = fixture.Start(std::move(request));
  CHECK(fixture.recorder.TakeAll(at).empty());
  REQUIRE(fixture.commands().WaitSettled(*at.process));
  CHECK(fixture.commands().Of(*at.process).failed->stage == SpawnStage::kChdir);
  CHECK(at.terminal->Write("x") == WriteAnswer::kEnded);
}

TEST_CASE("a hundred terminals leave no descriptor more") {
  TerminalFixture fixture;
  const auto round = [&] {
    std::vector<Runtime::InTerminal> all;
    for (int i = 0; i < 20; ++i) all.push_back(fixture.Start("echo hi"));
    for (const auto& at : all) {
      CHECK(fixture.recorder.TakeAll(at) == "hi\r\n");
      REQUIRE(fixture.commands().WaitQuiescent(*at.process));
    }
  };
  round();
  const size_t before = OpenDescriptors();
  for (int i = 0; i < 5; ++i) round();
  CHECK(Eventually([&] { return OpenDescriptors() <= before; }));
}

TEST_CASE("closing a runtime ends its terminals, those that have only been asked for too") {
  TerminalFixture fixture;
  std::vector<Runtime::InTerminal> all;
  for (int i = 0; i < 20; ++i) all.push_back(fixture.Start("trap '' HUP TERM; sleep 60 & sleep 60"));
  CHECK(fixture.runtime().Close(std::chrono::seconds(5)));
  for (const auto& at : all) {
    CHECK(at.process->at_rest());
    CHECK(at.terminal->Write("x") == WriteAnswer::kEnded);
  }
}

}  // namespace quiesce::testing
