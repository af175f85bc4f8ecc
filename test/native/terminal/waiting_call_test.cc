#include "terminal/waiting_call.h"

#include <doctest/doctest.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "os/epoll.h"
#include "os/file.h"

namespace quiesce {

namespace {

WaitingCall CallOf(int64_t number, uint64_t first, uint64_t second) { return {number, {first, second}}; }

template <typename T>
uint64_t AddressOf(T* object) {
  return reinterpret_cast<uint64_t>(object);
}

}  // namespace

TEST_CASE("the text of a system call is its number and its arguments") {
  const auto call = ParseWaitingCall("0 0x3 0x7ffd 0x1 0x0 0x22 0xffffffffffffffff 0x7ffd0 0x7f12\n");
  REQUIRE(call.has_value());
  CHECK(call->number == 0);
  CHECK(call->arguments == std::array<uint64_t, 6>{3, 0x7ffd, 1, 0, 0x22, ~uint64_t{0}});
}

TEST_CASE("a thread that runs, or is in no call, waits for nothing") {
  for (const char* text : {"running\n", "-1 0x7ffd 0x7f\n", "", "0 0x1 0x2\n", "0 zzz"}) {
    CAPTURE(text);
    CHECK_FALSE(ParseWaitingCall(text).has_value());
  }
}

TEST_CASE("the descriptors of an epoll instance are those that are watched for reading") {
  const char* text =
      "pos:\t0\nflags:\t02000002\ntfd:        0 events:       19 data:                0  pos:0 ino:1 sdev:2\n"
      "tfd:        5 events:       1c data:                5  pos:0\ntfd:       12 events:        1 data: c\n";
  CHECK(ParseEpollTargets(text) == std::vector<int>{0, 12});
  CHECK(ParseEpollTargets("tfd: x\ntfd:\n").empty());
}

TEST_CASE("a call waits for the descriptors that its arguments name, here or in memory") {
  CHECK(DescriptorsWaitedFor(getpid(), CallOf(SYS_read, 7, 0)) == std::vector<int>{7});
  CHECK(DescriptorsWaitedFor(getpid(), CallOf(SYS_write, 7, 0)).empty());
  pollfd polled[] = {{4, POLLIN, 0}, {5, POLLOUT, 0}, {-1, POLLIN, 0}, {6, POLLIN | POLLPRI, 0}};
  CHECK(DescriptorsWaitedFor(getpid(), CallOf(SYS_ppoll, AddressOf(polled), 4)) == std::vector<int>{4, 6});
  fd_set selected;
  FD_ZERO(&selected);
  FD_SET(0, &selected);
  FD_SET(70, &selected);
  CHECK(DescriptorsWaitedFor(getpid(), CallOf(SYS_pselect6, 71, AddressOf(&selected))) == std::vector<int>{0, 70});
  CHECK(DescriptorsWaitedFor(getpid(), CallOf(SYS_pselect6, 70, AddressOf(&selected))) == std::vector<int>{0});
}

TEST_CASE("memory that is not there, or more than any program waits for, is nothing") {
  CHECK(DescriptorsWaitedFor(getpid(), CallOf(SYS_ppoll, 8, 1)).empty());
  CHECK(DescriptorsWaitedFor(getpid(), CallOf(SYS_ppoll, 8, ~uint64_t{0})).empty());
  CHECK(DescriptorsWaitedFor(getpid(), CallOf(SYS_pselect6, 4, 0)).empty());
}

TEST_CASE("who waits for an epoll instance waits for what is in it") {
  auto pipe = MakePipe();
  REQUIRE(pipe.ok());
  auto epoll = Epoll::Create();
  REQUIRE(epoll.ok());
  REQUIRE(epoll.value().Add(pipe.value().reader.get(), EPOLLIN, 1).ok());
  REQUIRE(epoll.value().Add(pipe.value().writer.get(), EPOLLOUT, 2).ok());
  const auto fd = static_cast<uint64_t>(epoll.value().fd());
  CHECK(DescriptorsWaitedFor(getpid(), CallOf(SYS_epoll_pwait, fd, 0)) == std::vector<int>{pipe.value().reader.get()});
}

}  // namespace quiesce
