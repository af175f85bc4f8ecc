// The folders of spill files that a host would have removed itself, had it not been killed.
#pragma once

#include <set>
#include <string>

namespace quiesce {

class SpillRemains {
 public:
  // `path` is a folder that is to go, whether or not it exists yet.
  void Add(std::string path) { folders_.insert(std::move(path)); }

  // `path` stays: a folder that was added, or a file in one.
  void Keep(const std::string& path) {
    if (folders_.erase(path) == 0) kept_.insert(path);
  }

  // Removes the files of each folder that are not kept, then the folder, if that has emptied it. Nothing but plain
  // files, and nothing below: a folder that somebody else has put in this place is harmed as little as can be.
  void Remove() const;

 private:
  std::set<std::string> folders_;
  std::set<std::string> kept_;
};

}  // namespace quiesce
