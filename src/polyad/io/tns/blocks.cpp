#include <polyad/base/parallel.hpp>
#include <polyad/io/tns/entries.hpp>

#include <algorithm>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace polyad {
namespace {

// A ring of blocks between one thread that adds them and a team that parses them in any order and joins the results in
// theirs. Who has to wait for another parses a block himself instead where there is one.
class BlockTeam {
 public:
  BlockTeam(TnsEntries& entries, std::size_t threads) : entries_(entries), ring_(4 * threads, Slot(entries)) {
    for (std::size_t t = 1; t < threads; ++t) team_.emplace_back([this] { work(); });
  }
  BlockTeam(const BlockTeam&) = delete;
  BlockTeam& operator=(const BlockTeam&) = delete;
  ~BlockTeam() {
    {
      const std::lock_guard lock(mutex_);
      ended_ = true;
    }
    changed_.notify_all();
  }

  /// `share`: of the whole file, read so far.
  void add(std::string_view text, std::uint64_t line, double share) {
    std::unique_lock lock(mutex_);
    while (!failure_ && added_ - joined_ >= ring_.size()) parse_or_wait(lock);
    if (failure_) std::rethrow_exception(failure_);
    // Nobody looks at this slot until it counts as added.
    lock.unlock();
    Slot& slot = slot_of(added_);
    slot.text = text;
    slot.line = line;
    slot.share = share;
    slot.parsed = false;
    lock.lock();
    ++added_;
    lock.unlock();
    changed_.notify_one();
  }
  /// Throws the error of the first block that has one.
  void finish() {
    std::unique_lock lock(mutex_);
    while (!failure_ && joined_ < added_) parse_or_wait(lock);
    if (failure_) std::rethrow_exception(failure_);
  }

 private:
  struct Slot {
    explicit Slot(const TnsEntries& whole) : part(whole.empty_copy()) {}
    std::string text;
    std::uint64_t line = 0;
    double share = 0;
    TnsEntries part;
    std::exception_ptr failure;
    bool parsed = false;
  };
  Slot& slot_of(std::size_t block) { return ring_[block % ring_.size()]; }

  void work() {
    std::unique_lock lock(mutex_);
    while (!ended_) parse_or_wait(lock);
  }

  void parse_or_wait(std::unique_lock<std::mutex>& lock) {
    if (taken_ == added_ || failure_) {
      changed_.wait(lock);
      return;
    }
    Slot& slot = slot_of(taken_++);
    lock.unlock();
    try {
      slot.part.parse(slot.text, slot.line);
    } catch (...) {
      slot.failure = std::current_exception();
    }
    lock.lock();
    slot.parsed = true;
    if (!joining_) join_parsed(lock);
  }

  void join_parsed(std::unique_lock<std::mutex>& lock) {
    joining_ = true;
    while (!failure_ && joined_ < added_ && slot_of(joined_).parsed) {
      Slot& slot = slot_of(joined_);
      lock.unlock();
      try {
        if (slot.failure) std::rethrow_exception(slot.failure);
        entries_.join(slot.part, slot.share);
      } catch (...) {
        slot.failure = std::current_exception();
      }
      lock.lock();
      failure_ = slot.failure;
      ++joined_;
      changed_.notify_all();
    }
    joining_ = false;
  }

  TnsEntries& entries_;
  std::vector<Slot> ring_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t added_ = 0;   // blocks; of these the first
  std::size_t taken_ = 0;   // are parsed or being parsed, and the first
  std::size_t joined_ = 0;  // are in entries_
  bool joining_ = false;
  bool ended_ = false;
  std::exception_ptr failure_;
  std::vector<std::jthread> team_;  // last: it ends before what it uses
};

}  // namespace

void parse_blocks(TextSource& source, std::uint64_t line, std::size_t threads, TnsEntries& entries) {
  std::string_view block = source.next_block();
  if (source.at_end()) {  // no more than one block
    if (!block.empty()) entries.parse(block, line);
    return;
  }
  BlockTeam team(entries, thread_count(threads));
  const auto next_block = [&] {
    try {
      return source.next_block();
    } catch (...) {
      team.finish();  // an error on an earlier line goes first
      throw;
    }
  };
  for (; !block.empty(); block = next_block()) {
    team.add(block, line, source.share());
    line += count_lines(block);
  }
  team.finish();
}

}  // namespace polyad
