// Every kind of call fails once, at each place where a command makes it: the command is told once what became of it,
// nothing is left, and the next command runs.
#include <doctest/doctest.h>

#include <cerrno>
#include <csignal>
#include <initializer_list>
#include <string>

#include "range/cgroup_range.h"
#include "range/group_range.h"
#include "support/command.h"
#include "support/faults.h"
#include "support/tidy.h"

namespace quiesce::testing {

namespace {

struct Kind {
  Call call;
  const char* name;
  std::initializer_list<int> errors;
};

const Kind kKinds[] = {
    {Call::kPipe, "pipe2", {EMFILE, ENFILE}},
    {Call::kOpen, "openat", {EMFILE, ENOMEM}},
    {Call::kMemfdCreate, "memfd_create", {ENFILE, ENOMEM}},
    {Call::kFcntl, "fcntl", {EMFILE, EINVAL}},
    {Call::kFdopendir, "fdopendir", {ENOMEM}},
    {Call::kClone3, "clone3", {EAGAIN, ENOMEM, EMFILE, ENFILE}},
    {Call::kPidfdOpen, "pidfd_open", {EMFILE, ENOSYS}},
    {Call::kPidfdSignal, "pidfd_send_signal", {ENOSYS, EPERM}},
    {Call::kEpollControl, "epoll_ctl", {ENOMEM, ENOSPC}},
    {Call::kEpollWait, "epoll_wait", {EINTR, EBADF}},
    {Call::kMakeDirectory, "mkdir", {EROFS, EAGAIN}},
    {Call::kSeek, "lseek", {EINVAL}},
    {Call::kFstat, "fstat", {EIO}},
    {Call::kRead, "read", {EIO}},
    {Call::kWrite, "write", {EIO, ENOSPC}},
    {Call::kClose, "close", {EIO, EINTR}},
    {Call::kDup, "dup3", {EMFILE, EBADF}},
    {Call::kChdir, "chdir", {EACCES, EIO}},
    {Call::kCloseRange, "close_range", {ENOSYS, EPERM}},
    {Call::kExecve, "execve", {ENOMEM, EACCES}},
};

constexpr int kMostPlaces = 14;

// Uses every kind of stream, outgrows its memory budget, and has to be ended: it makes all the calls that there are.
SpawnRequest EverythingRequest() {
  SpawnRequest request = BashRequest("cat; head -c 3000 /dev/zero; sleep 60 & exit 3");
  request.input = {StreamMode::kData, UniqueFd(), std::string(100000, 'x')};
  request.output.collect = {1000, 1 << 20};
  request.attachment = "attached";
  request.grace = Millis(150);
  request.leftovers = Leftovers::kTerminate;
  return request;
}

void RunUnderFault(const std::shared_ptr<RangeSource>& ranges, const Kind& kind, int error, int skip, bool* reached) {
  RuntimeFixture fixture(ranges);
  CAPTURE(kind.name);
  CAPTURE(error);
  CAPTURE(skip);
  std::shared_ptr<Process> process;
  {
    const Fault fault(kind.call, error, {.skip = skip, .times = 1});
    process = fixture.Spawn(EverythingRequest());
    CHECK(fixture.recorder.WaitSettled(*process));
    // Whatever failed, a request to end finds an end.
    fixture.runtime->Kill(process);
    CHECK((fixture.recorder.Of(*process).failed.has_value() || fixture.recorder.WaitQuiescent(*process)));
    *reached = fault.hits() > 0;
  }
  const auto record = fixture.recorder.Of(*process);
  CHECK(record.failed_count + record.settled_count == 1);
  if (record.failed.has_value()) {
    CHECK(record.failed->error == error);
    CHECK(record.failed->stage != SpawnStage::kNone);
    CHECK(record.quiescent_count == 0);
  } else {
    CHECK(record.quiescent_count == 1);
  }
  CHECK(TextOf(fixture.RunToEnd(BashRequest("echo next"))->output()) == "next\n");
}

void Sweep(const std::string& folder) {
  for (const Kind& kind : kKinds) {
    for (const int error : kind.errors) {
      // A process group has no folder.
      bool reached = !folder.empty() || (kind.call != Call::kFstat && kind.call != Call::kFdopendir);
      for (int skip = 0; reached && skip < kMostPlaces; ++skip) {
        const Tidy tidy(folder);
        std::shared_ptr<RangeSource> ranges = std::make_shared<GroupRangeSource>();
        if (!folder.empty()) ranges = std::make_shared<CgroupRangeSource>(folder);
        RunUnderFault(ranges, kind, error, skip, &reached);
        CHECK_MESSAGE((reached || skip > 0), kind.name << " is never called");
      }
    }
  }
}

}  // namespace

TEST_CASE("one failing call anywhere in a command of the group range is told once and leaves nothing") { Sweep({}); }

TEST_CASE("one failing call anywhere in a command of the cgroup range is told once and leaves nothing") {
  const std::string folder = CgroupFolderOrSkip();
  if (!folder.empty()) Sweep(folder);
}

}  // namespace quiesce::testing
