#pragma once

#include <polyad/base/error.hpp>
#include <polyad/cells.hpp>

#include <gtest/gtest.h>

#include <initializer_list>
#include <vector>

namespace polyad {

/// The error that `call` throws; a failed test where it throws none.
template <class Call>
Error error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error was thrown";
  return Error(ErrorKind::file, "");
}

struct Entry {
  std::vector<Index> cell;
  double value = 0;
  double weight = 1;
};

inline Records records_of(std::size_t modes, const std::vector<Entry>& entries, bool weighted = false) {
  Records records(modes, weighted);
  for (const Entry& entry : entries) records.append(entry.cell.data(), entry.value, entry.weight);
  return records;
}

/// Calls visit(cell) for every cell of a shape, in C order.
template <class Visit>
void for_each_cell(const std::vector<std::uint64_t>& extents, Visit visit) {
  std::vector<Index> cell(extents.size(), 0);
  while (true) {
    visit(cell);
    std::size_t k = extents.size();
    while (k > 0 && ++cell[k - 1] == extents[k - 1]) cell[--k] = 0;
    if (k == 0) return;
  }
}

}  // namespace polyad
