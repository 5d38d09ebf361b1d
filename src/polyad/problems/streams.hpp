#pragma once
// Which random numbers a generator uses for what. Every piece of work that may run on its own thread has a
// stream of its own, numbered by the work, never by the thread.

#include <polyad/base/rng.hpp>

namespace polyad {

enum class ProblemStream : std::uint64_t { factors = 1, values = 2, structure = 3, noise = 4, hidden = 5, density = 6 };

inline Generator problem_generator(std::uint64_t seed, ProblemStream stream, std::uint64_t part = 0) {
  return Generator(RandomStream(seed, Purpose::problem, part * 16 + static_cast<std::uint64_t>(stream)));
}

}  // namespace polyad
