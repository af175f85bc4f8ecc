// What a test must leave as it found it: the descriptors of this process, its children, and its cgroup folders.
#pragma once

#include <set>
#include <string>

namespace quiesce::testing {

// Checks at its end. Made before the fixture, so that it looks after the fixture is gone.
class Tidy {
 public:
  // `folder`: where this process makes its cgroup folders; empty: none is looked at.
  explicit Tidy(std::string folder = {});
  ~Tidy();
  Tidy(const Tidy&) = delete;
  Tidy& operator=(const Tidy&) = delete;

 private:
  std::string folder_;
  std::set<std::string> entries_;
  std::set<std::string> descriptors_;
};

}  // namespace quiesce::testing
