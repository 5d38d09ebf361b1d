#include <polyad/tensor/listed_set.hpp>

#include <algorithm>
#include <array>
#include <optional>

namespace polyad {

namespace {

// Cells whose places are computed, and asked for, before the first of them is looked at.
constexpr std::size_t chunk = 64;

constexpr double small_bytes = 16 * 1024;

template <class Remainder>
std::optional<double> table_bytes(const IndexSpace& space, std::size_t capacity) {
  const auto buckets = QuotientTable<Remainder>::buckets_for(key_bits(space), capacity);
  if (!buckets) return std::nullopt;
  return static_cast<double>(*buckets) * cache_line;
}

// What a kind takes; none where it cannot be.
std::optional<double> bytes_of(ListedKind kind, const IndexSpace& space, std::size_t capacity) {
  switch (kind) {
    case ListedKind::bitmap:
      if (!space.exact_cells()) return std::nullopt;
      return static_cast<double>(CellBitmap::bytes_for(*space.exact_cells()));
    case ListedKind::quotient16:
      return table_bytes<std::uint16_t>(space, capacity);
    case ListedKind::quotient32:
      return table_bytes<std::uint32_t>(space, capacity);
    case ListedKind::tuples:
      break;
  }
  return 16.0 * static_cast<double>(capacity);
}

ListedKind best_kind(const IndexSpace& space, std::size_t capacity) {
  ListedKind best = ListedKind::tuples;
  double least = *bytes_of(best, space, capacity);
  for (const ListedKind kind : {ListedKind::quotient32, ListedKind::quotient16, ListedKind::bitmap}) {
    const auto bytes = bytes_of(kind, space, capacity);
    if (!bytes || *bytes > std::max(least, small_bytes)) continue;
    best = kind;
    least = *bytes;
  }
  return best;
}

template <class Table>
concept CellTable = requires {
  typename Table::Place;
};

// Calls visit(place, t) for t = 0 .. n-1 in order until it says false, each place on its way into the cache since a
// chunk ago. keys_of(first, count, keys) gives the keys of a chunk.
template <class Table, class KeysOf, class Visit>
void for_each_place(const Table& table, std::size_t n, KeysOf keys_of, Visit visit) {
  std::array<std::uint64_t, chunk> keys;
  std::array<typename Table::Place, 2 * chunk> places;
  const auto announce = [&](std::size_t first) {
    const std::size_t count = std::min(chunk, n - first);
    keys_of(first, count, keys);
    auto* const out = places.data() + first % (2 * chunk);
    for (std::size_t t = 0; t < count; ++t) {
      out[t] = table.place(keys[t]);
      table.prefetch(out[t]);
    }
  };
  if (n > 0) announce(0);
  for (std::size_t first = 0; first < n; first += chunk) {
    if (first + chunk < n) announce(first + chunk);
    const auto* const from = places.data() + first % (2 * chunk);
    for (std::size_t t = 0; t < std::min(chunk, n - first); ++t) {
      if (!visit(from[t], first + t)) return;
    }
  }
}

template <class Table>
bool insert_all(Table& table, const Records& records) {
  bool fresh = true;
  const auto keys_of = [&](std::size_t first, std::size_t count, auto& keys) {
    for (std::size_t t = 0; t < count; ++t) keys[t] = table.key()(records.index(first + t));
  };
  for_each_place(table, records.size(), keys_of, [&](auto place, std::size_t) { return fresh = table.insert(place); });
  return fresh;
}

template <class Table>
void flag_all(const Table& table, const Index* const* index, std::size_t first, std::size_t n, std::uint8_t* out) {
  const auto keys_of = [&](std::size_t begin, std::size_t count, auto& keys) {
    table.key().columns(index, first + begin, count, keys);
  };
  for_each_place(table, n, keys_of, [&](auto place, std::size_t t) {
    out[t] = table.contains(place) ? 1 : 0;
    return true;
  });
}

}  // namespace

ListedSet::ListedSet(const IndexSpace& space, std::size_t capacity)
    : ListedSet(space, capacity, best_kind(space, capacity)) {}

ListedSet::ListedSet(const IndexSpace& space, std::size_t capacity, ListedKind kind) {
  if (!bytes_of(kind, space, capacity)) return;
  if (kind == ListedKind::bitmap) table_.emplace<CellBitmap>(space);
  if (kind == ListedKind::quotient16) table_.emplace<QuotientTable<std::uint16_t>>(space, capacity);
  if (kind == ListedKind::quotient32) table_.emplace<QuotientTable<std::uint32_t>>(space, capacity);
}

bool ListedSet::insert(const Records& records) {
  return std::visit(
      [&]<class Table>(Table& table) {
        if constexpr (CellTable<Table>) return insert_all(table, records);
        return false;
      },
      table_);
}

void ListedSet::flags(const Index* const* index, std::size_t first, std::size_t n, std::uint8_t* out) const {
  with_table([&](const auto& table) {
    flag_all(table, index, first, n, out);
    return true;
  });
}

std::size_t ListedSet::spilled() const {
  return with_table([]<class Table>(const Table& table) -> std::size_t {
    if constexpr (requires { table.spilled(); }) return table.spilled();
    return 0;
  });
}

}  // namespace polyad
