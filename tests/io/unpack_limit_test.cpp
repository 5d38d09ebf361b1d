// Small files that unpack to much: refused soon, with a way to allow them; ordinary data that compress well are read.

#include "gzip.hpp"
#include "temp_folder.hpp"
#include "tensors.hpp"

#include <polyad/base/error.hpp>
#include <polyad/files.hpp>
#include <polyad/io/numpy/numpy.hpp>
#include <polyad/io/open.hpp>
#include <polyad/tensor/tensor.hpp>

#include <gmock/gmock.h>
#include <zstd.h>

#include <thread>

namespace polyad {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

std::string zstd_packed(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 1));
  return out;
}

/// `before`, then as many empty lines as make the text this long.
std::string padded(const std::string& before, std::size_t bytes) {
  return before + std::string(bytes - before.size(), '\n');
}

std::string little_endian(std::uint64_t value, int bytes) {
  std::string out;
  for (int i = 0; i < bytes; ++i) out += static_cast<char>(value >> (8 * i));
  return out;
}

/// A zip archive whose members all lie in the same deflated bytes: as small as one of them, as large as all.
std::string overlapping_zip(const std::string& content, std::size_t members) {
  const std::string gzip = gzipped(content);
  const std::string deflated = gzip.substr(10, gzip.size() - 18);
  const std::uint32_t crc =
      static_cast<std::uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(content.data()), content.size()));
  const std::string sizes =
      little_endian(crc, 4) + little_endian(deflated.size(), 4) + little_endian(content.size(), 4);
  std::string file = "PK\x03\x04" + little_endian(20, 2) + little_endian(0, 2) + little_endian(8, 2) +
                     little_endian(0, 4) + sizes + little_endian(0, 4) + deflated;
  const std::size_t list_at = file.size();
  for (std::size_t i = 1; i <= members; ++i) {
    const std::string name = fmt::format("factor_{}.npy", i);
    file += "PK\x01\x02" + little_endian(20, 2) + little_endian(20, 2) + little_endian(0, 2) + little_endian(8, 2) +
            little_endian(0, 4) + sizes + little_endian(name.size(), 2) + std::string(16, '\0') + name;
  }
  const std::size_t list_bytes = file.size() - list_at;
  return file + "PK\x05\x06" + little_endian(0, 4) + little_endian(members, 2) + little_endian(members, 2) +
         little_endian(list_bytes, 4) + little_endian(list_at, 4) + little_endian(0, 2);
}

class UnpackLimit : public TempFolder {
 protected:
  std::string refused(const std::function<void()>& read) {
    const std::string message = error_of(read, ErrorKind::data);
    EXPECT_THAT(message, AllOf(HasSubstr("unpacks to more than"), HasSubstr("unpacked-limit")));
    return message;
  }
  static constexpr std::size_t too_much = 257'000'000;
};

TEST_F(UnpackLimit, BombsOfTextAreRefusedAndCanBeAllowed) {
  const std::string text = padded("1 2 3\n", too_much);
  for (const std::string& bytes : {gzipped(text), zstd_packed(text)}) {
    ASSERT_LT(bytes.size(), 400'000u);
    const std::string file = write("x.tns", bytes);
    EXPECT_THAT(refused([&] { read_tensor(file); }), HasSubstr("256 MB"));
    EXPECT_EQ(entries_of(read_tensor(file, {.unpacked_limit = 1})), (std::map<Cell, double>{{{0, 1}, 3}}));
  }
}

TEST_F(UnpackLimit, WhateverIsReadFromIt) {
  std::string labels;
  while (labels.size() < too_much) labels += std::string(1'000'000, 'x') + "\n";
  refused([&] { read_labels(write("l", zstd_packed(labels))); });
  const std::string cells = write("c", zstd_packed(padded("1 2\n", 2'000'000)));
  refused([&] { read_cells(cells, IndexSpace({4, 4}), {.unpacked_limit = 0.001}); });
  EXPECT_EQ(read_cells(cells, IndexSpace({4, 4}), {.unpacked_limit = 1}).size(), 1u);
  const std::string file = write("x", zstd_packed(padded("a\n1 2\n", 2'000'000)));
  ImportOptions options;
  options.modes = {"a"};
  options.unpacked_limit = 0.001;
  ImportReport report;
  refused([&] { import_table(file, options, report, nullptr); });
  options.unpacked_limit = 1;
  EXPECT_EQ(import_table(file, options, report, nullptr).sparse()->listed(), 1u);
}

TEST_F(UnpackLimit, TheOptionsOfDataReachEveryFile) {
  const std::string data = write("x.tns", "# shape: 4x4\n1 1 1\n");
  const std::string cells = write("c", zstd_packed(padded("1 2\n", 2'000'000)));
  DataOptions options;
  options.missing = cells;
  options.unpacked_limit = 0.001;
  refused([&] { open_data(data, options); });
  options.unpacked_limit = 1;
  EXPECT_EQ(open_data(data, options).tensor.sparse()->missing_cells(), 1u);
  options.missing = "";
  options.labels = {"1=" + cells};
  options.unpacked_limit = 0.001;
  EXPECT_THAT(error_of([&] { open_data(data, options); }, ErrorKind::data),
              HasSubstr("at least 1004 labels, but mode 1 has 4 indices"));
  options = {};
  options.unpacked_limit = 1e-9;
  refused([&] { open_data(write("small.tns.zst", zstd_packed("1 1 1\n2 2 2\n")), options); });
}

// The size of a stream is not known; the limit follows what has come.
TEST_F(UnpackLimit, Streams) {
  const std::string bytes = zstd_packed(padded("1 2 3\n", too_much));
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  std::thread writer([&] {
    (void)!::write(ends[1], bytes.data(), bytes.size());
    close(ends[1]);
  });
  refused([&] { read_tensor(fmt::format("/dev/fd/{}", ends[0])); });
  close(ends[0]);
  writer.join();
}

TEST_F(UnpackLimit, BombsOfArchives) {
  // 42 members of 100 MB from 100 kB.
  const std::string array = npy_header("f8", std::vector<std::uint64_t>{12'500'000}) + std::string(100'000'000, '\0');
  const std::string bytes = overlapping_zip(array, 42);
  ASSERT_LT(bytes.size(), 200'000u);
  const std::string file = write("x.npz", bytes);
  EXPECT_THAT(refused([&] { read_tensor(file, {.variable = "factor_7"}); }), HasSubstr("4 GB"));
  EXPECT_EQ(read_tensor(file, {.variable = "factor_7", .unpacked_limit = 5}).dense()->cells(), 12'500'000u);
}

// What people have and what shrinks most: lists with the same line again and again, and arrays that are all but zero.
TEST_F(UnpackLimit, OrdinaryDataThatShrinkMuchAreRead) {
  std::string lines;
  while (lines.size() < 20'000'000) lines += "17 3 21 1\n";
  for (const std::string& bytes : {gzipped(lines), zstd_packed(lines)}) {
    ASSERT_GT(lines.size() / bytes.size(), 200u);
    EXPECT_EQ(read_tensor(write("x.tns", bytes)).sparse()->listed(), 1u);
  }
  const std::string array = npy_header("f8", std::vector<std::uint64_t>{20'000'000}) + std::string(160'000'000, '\0');
  const std::string archive = overlapping_zip(array, 1);
  ASSERT_GT(array.size() / archive.size(), 200u);
  EXPECT_EQ(read_tensor(write("x.npz", archive)).dense()->cells(), 20'000'000u);
}

TEST_F(UnpackLimit, GrowsWithTheFile) {
  const InputFile small(write("small", std::string(1000, 'x')));
  EXPECT_EQ(small.most_unpacked(256e6), 256e6);
  const InputFile large(write("large", std::string(3'000'000, 'x')));
  EXPECT_EQ(large.most_unpacked(256e6), 600e6);
  const InputFile allowed(path("large"), 7.5);
  EXPECT_EQ(allowed.most_unpacked(256e6), 7.5e9);
}

}  // namespace
}  // namespace polyad
