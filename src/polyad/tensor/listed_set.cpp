#include <polyad/tensor/listed_set.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <type_traits>

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
// chunk ago. key_of(t) is the key of cell t.
template <class Table, class KeyOf, class Visit>
void for_each_place(const Table& table, std::size_t n, KeyOf key_of, Visit visit) {
  std::array<typename Table::Place, 2 * chunk> places;
  const auto announce = [&](std::size_t first) {
    auto* const out = places.data() + first % (2 * chunk);
    const std::size_t count = std::min(chunk, n - first);
    for (std::size_t t = 0; t < count; ++t) {
      out[t] = table.place(key_of(first + t));
      table.prefetch(out[t]);
    }
  };
  if (n > 0) announce(0);
  for (std::size_t first = 0; first < n; first += chunk) {
    if (first + chunk < n) announce(first + chunk);
    const auto* const from = places.data() + first % (2 * chunk);
    const std::size_t count = std::min(chunk, n - first);
    for (std::size_t t = 0; t < count; ++t) {
      if (!visit(from[t], first + t)) return;
    }
  }
}

template <class Table>
bool insert_all(Table& table, const Records& records) {
  bool fresh = true;
  for_each_place(
      table, records.size(), [&](std::size_t t) { return table.key()(records.index(t)); },
      [&](auto place, std::size_t) { return fresh = table.insert(place); });
  return fresh;
}

template <class Table, class Modes>
void flag_all(const Table& table, const Index* const* index, std::size_t first, std::size_t n, Modes modes,
              std::uint8_t* out) {
  // Copies, which no write to `out` (bytes, which may be anything) can seem to change.
  std::array<const Index*, max_modes> columns;
  for (std::size_t k = 0; k < modes; ++k) columns[k] = index[k] + first;
  const LinearKey key = table.key();
  for_each_place(
      table, n, [&](std::size_t t) { return key.of_columns(columns.data(), t, modes); },
      [&](auto place, std::size_t t) {
        out[t] = table.contains(place) ? 1 : 0;
        return true;
      });
}

// Calls body with the number of modes, known to the compiler where it is a usual one.
template <class Body>
void with_modes(std::size_t modes, Body body) {
  switch (modes) {
    case 2:
      return body(std::integral_constant<std::size_t, 2>());
    case 3:
      return body(std::integral_constant<std::size_t, 3>());
    case 4:
      return body(std::integral_constant<std::size_t, 4>());
    case 5:
      return body(std::integral_constant<std::size_t, 5>());
    default:
      return body(modes);
  }
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
    with_modes(table.key().modes(), [&](auto modes) { flag_all(table, index, first, n, modes, out); });
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
