#pragma once
// Data: a tensor, dense or sparse, with names for its modes and indices.
//
//   auto a = Tensor::dense({365, 24, 77}, values);                    // C order: the last mode varies fastest; NaN is missing
//   auto b = Tensor::borrowed({365, 24, 77}, span);                   // the same without a copy
//   auto c = Tensor::from_columns({}, {{days, hours, areas}}, counts);   // sparse: an array of indices per mode, and values
//   auto d = Tensor::from_records({6, 7, 4}, records);                // sparse: a list of cells (cells.hpp)
//   c.set_labels(Labels({{"day", {...}}, {"hour", {}}, {"area", {...}}}));
//
// Whether unlisted cells of a sparse tensor are zeros or missing is stated, never guessed (Unlisted). Indices count from 0.

#include <polyad/cells.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace polyad {

/// Names of one mode and of the indices within it.
struct ModeLabels {
  std::string name;                  ///< empty: the mode has only its number
  std::vector<std::string> entries;  ///< one per index, or empty: the indices have only their numbers

  friend bool operator==(const ModeLabels&, const ModeLabels&) = default;
};

/// Names of all modes, kept from the input to every table and picture.
class Labels {
 public:
  Labels() = default;
  explicit Labels(std::size_t modes) : modes_(modes) {}
  explicit Labels(std::vector<ModeLabels> modes) : modes_(std::move(modes)) {}

  std::size_t modes() const { return modes_.size(); }
  const ModeLabels& mode(std::size_t k) const { return modes_[k]; }
  ModeLabels& mode(std::size_t k) { return modes_[k]; }

  /// The mode's name, or "mode 3" (modes are numbered from 1 for people).
  std::string mode_name(std::size_t k) const;
  /// The label of an index, or its number counted from 1.
  std::string entry(std::size_t k, std::size_t index) const;
  /// Finds a mode by its name or its number counted from 1; a usage error lists the modes there are.
  std::size_t find_mode(std::string_view name_or_number) const;
  /// Throws a data error where a mode has labels but not exactly one per index, or one of them holds a zero byte.
  void check(const IndexSpace& space) const;

  /// How the tensor was made of a table, as JSON of the import's options; empty: it was not. Kept with the labels from the tensor
  /// to the model, so that new tables can be read the same way. Labels compare without it.
  const std::string& import_options() const { return import_options_; }
  void set_import_options(std::string json) { import_options_ = std::move(json); }

  friend bool operator==(const Labels& a, const Labels& b) { return a.modes_ == b.modes_; }

 private:
  std::vector<ModeLabels> modes_;
  std::string import_options_;
};

/// What unlisted cells of a sparse tensor are: observed zeros, or no data at all (explicit zeros then count).
enum class Unlisted { zero, missing };
constexpr std::array<std::string_view, 2> words_of(Unlisted) {
  return {"zero", "missing"};
}

/// What was done to the entries of a sparse tensor while it was built, for people.
struct BuildReport {
  std::uint64_t duplicates_summed = 0;    ///< entries beyond the first for their cell
  std::uint64_t zeros_dropped = 0;        ///< cells of value 0 in a tensor whose unlisted cells are zeros anyway
  std::uint64_t masked_dropped = 0;       ///< listed entries in cells declared missing: the mask wins
  std::uint64_t weight_zero_dropped = 0;  ///< listed entries whose weight 0 made their cell missing
};

/// The indices of one mode as they lie in the caller's memory: any type of whole numbers, any distance between them.
class IndexColumn {
 public:
  template <std::integral T>
  requires(!std::same_as<T, bool>) IndexColumn(std::span<const T> indices)  // NOLINT(google-explicit-constructor)
      : IndexColumn(indices.data(), indices.size(), sizeof(T)) {}
  template <std::integral T>
  requires(!std::same_as<T, bool>)
      IndexColumn(const std::vector<T>& indices)  // NOLINT(google-explicit-constructor): a column is what it holds
      : IndexColumn(std::span<const T>(indices)) {}
  /// `stride_bytes` from one index to the next, as in a column of a NumPy array.
  template <std::integral T>
  requires(!std::same_as<T, bool>) IndexColumn(const T* first, std::size_t size, std::ptrdiff_t stride_bytes)
      : first_(reinterpret_cast<const unsigned char*>(first)),
        size_(size),
        stride_(stride_bytes),
        bytes_(sizeof(T)),
        is_signed_(std::signed_integral<T>) {}

  std::size_t size() const { return size_; }
  const unsigned char* first() const { return first_; }
  std::ptrdiff_t stride() const { return stride_; }
  std::size_t bytes() const { return bytes_; }
  bool is_signed() const { return is_signed_; }

 private:
  const unsigned char* first_;
  std::size_t size_;
  std::ptrdiff_t stride_;
  std::size_t bytes_;
  bool is_signed_;
};

/// What may be said of a sparse tensor besides its cells and values.
struct SparseInput {
  Unlisted unlisted = Unlisted::zero;
  std::span<const double> weights = {};  ///< one per entry, at least 0 (0: the cell is missing); empty: all 1
  Labels labels = {};
  BuildReport* report = nullptr;  ///< added to, where it is not null
};

class DenseTensor;
class SparseTensor;
struct TensorFacts;

/// Any tensor with its labels: what `fit` takes and files give. A value: a copy has its own data, but for those of a mapped file
/// or of borrowed memory, which copies share.
class Tensor {
 public:
  /// Takes over a value per cell. NaN is missing; infinities are a data error that names the cell.
  static Tensor dense(std::vector<std::uint64_t> extents, std::vector<double> values, Labels labels = {});
  /// The same without a copy: the values must stay where they are and as they are for as long as the tensor or a copy of it
  /// lives, which `keeper` may see to.
  static Tensor borrowed(std::vector<std::uint64_t> extents, std::span<const double> values, Labels labels = {},
                         std::shared_ptr<const void> keeper = {});
  /// A sparse tensor from an array of indices per mode, which are read in one pass. Entries of the same cell are summed. Without
  /// extents, each mode has as many indices as its largest one needs. Data errors name the entry and the mode, counted from 1.
  static Tensor from_columns(std::vector<std::uint64_t> extents, std::span<const IndexColumn> columns,
                             std::span<const double> values, const SparseInput& input = {});
  static Tensor from_columns(std::vector<std::uint64_t> extents, const std::vector<IndexColumn>& columns,
                             std::span<const double> values, const SparseInput& input = {}) {
    return from_columns(std::move(extents), std::span<const IndexColumn>(columns), values, input);
  }
  /// The same from a list of cells. Weights are those of the records.
  static Tensor from_records(std::vector<std::uint64_t> extents, Records entries, const SparseInput& input = {});

  Tensor(DenseTensor dense, Labels labels = {});    // NOLINT(google-explicit-constructor)
  Tensor(SparseTensor sparse, Labels labels = {});  // NOLINT(google-explicit-constructor)
  Tensor(const Tensor& other);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(const Tensor& other);
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor();

  const IndexSpace& space() const;
  const Labels& labels() const { return labels_; }
  /// Throws a data error where the labels do not fit the shape.
  void set_labels(Labels labels);

  /// Weights of a dense tensor, one per cell in C order, at least 0; 0 makes a cell missing. A usage error where it is sparse.
  void set_weights(std::span<const double> weights);
  /// Weights of single cells (the records' values); other cells keep theirs. Weight 0 makes a cell missing. In a sparse tensor a
  /// cell that is not listed yet becomes a listed zero.
  void set_weights(const Records& weights);
  /// The weight of every unlisted zero of a sparse tensor; 0: unlisted cells are missing. A usage error where it is dense.
  void set_zero_weight(double weight);
  /// Makes cells missing, in addition to those that are.
  void set_missing(const Records& cells);

  bool is_sparse() const;
  /// The storage, for code inside the library (tensor/tensor.hpp); null where it is of the other kind.
  const DenseTensor* dense() const;
  const SparseTensor* sparse() const;
  DenseTensor* dense();
  SparseTensor* sparse();

  /// What is known of the values without looking; nullptr: nothing.
  const TensorFacts* facts() const;
  /// Whether the data lie in a mapped file.
  bool mapped() const;
  /// Before cells are drawn: lets the system handle mapped data accordingly.
  void expect_random_reads() const;

  std::uint64_t listed() const;  ///< entries that are stored: of a sparse tensor those that are listed, else all cells
  double observed() const;       ///< number of cells that are data
  /// Frobenius norm over observed cells (weights are not applied).
  double norm() const;

 private:
  struct Storage;
  std::unique_ptr<Storage> storage_;
  Labels labels_;
};

/// "5713 x 24 x 77 x 32, 5,325,328 nonzeros (1.58 % of 337,838,592 cells)"
std::string describe(const Tensor& tensor);

/// The cells among `cells` that are data, with their values; unlisted zeros count as data unless they are missing.
Records values_in(const Tensor& tensor, const Records& cells);

/// Facts about the observed values that decide which losses fit.
struct ValueFacts {
  double least = 0, greatest = 0, mean = 0;
  double observed = 0;  ///< cells that are data, implicit zeros included
  double zeros = 0;     ///< of which zero
  double negatives = 0;
  bool whole = true;   ///< all are whole numbers
  bool binary = true;  ///< all are 0 or 1
};

/// O(stored cells), or O(1) where the tensor brings them along.
ValueFacts value_facts(const Tensor& tensor);

}  // namespace polyad
