#include <polyad/base/error.hpp>
#include <polyad/io/format.hpp>
#include <polyad/io/text/decoder.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace polyad {

extern const FileFormat hdf5_format, npy_format, npz_format, mat_format, toolbox_format, tns_format, csv_format;

namespace {

// The list. A format comes before others that would recognise its files too: .tns, which takes any text, is last.
constexpr const FileFormat* formats[] = {&hdf5_format,    &npy_format, &npz_format, &mat_format,
                                         &toolbox_format, &tns_format, &csv_format};

// What polyad knows not to read, for a better message.
constexpr std::array<std::pair<std::string_view, std::string_view>, 4> unreadable{{
    {"\xfd"
     "7zXZ",
     "compressed by xz"},
    {"BZh", "compressed by bzip2"},
    {"%PDF", "a PDF document"},
    // Its numbers could pass for entries of a .tns file.
    {"# Created by Octave", "Octave's own text (in Octave, save -v7 writes what polyad reads)"},
}};

std::string_view unreadable_kind(std::string_view start) {
  for (const auto& [beginning, what] : unreadable) {
    if (start.starts_with(beginning)) return what;
  }
  return {};
}

const FileFormat* recognised(std::string_view start) {
  for (const FileFormat* format : formats) {
    if (format->recognises != nullptr && format->recognises(start)) return format;
  }
  return nullptr;
}

std::string_view compression_name(const InputFile& file) {
  return file.compression() == Compression::gzip ? "compressed by gzip" : "compressed by zstd";
}

bool ends_with_any_case(std::string_view path, std::string_view extension) {
  if (path.size() < extension.size()) return false;
  return std::ranges::equal(path.substr(path.size() - extension.size()), extension, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
  });
}

bool can_write(const FileFormat& format, FileHolds what) {
  return what == FileHolds::model ? format.write_model != nullptr : format.write_tensor != nullptr;
}

template <class Include>
std::string extension_list(Include include) {
  std::string out;
  for (const FileFormat* format : formats) {
    if (!include(*format)) continue;
    for (const std::string_view extension : format->extensions) {
      out += fmt::format("{}{}", out.empty() ? "" : ", ", extension);
    }
  }
  return out + " (text also with .gz or .zst behind it)";
}

}  // namespace

std::span<const FileFormat* const> all_formats() {
  return formats;
}

const FileFormat* format_of(const InputFile& file) {
  const std::string content = first_content(file);
  if (!unreadable_kind(content).empty()) return nullptr;
  const FileFormat* const format = recognised(content);
  return format != nullptr && file.compression() != Compression::none && !format->text ? nullptr : format;
}

bool is_text(const InputFile& file) {
  const FileFormat* const format = format_of(file);
  return format != nullptr && format->text;
}

std::string format_name(const InputFile& file) {
  if (file.start().empty()) return "an empty file";
  const std::string content = first_content(file);
  const std::string_view unread = unreadable_kind(content);
  const FileFormat* const format = recognised(content);
  const std::string_view what = !unread.empty() ? unread : format != nullptr ? format->what : "no text";
  if (file.compression() == Compression::none) return std::string(what);
  if (unread.empty() && format != nullptr && format->text) return std::string(compression_name(file));
  return fmt::format("{}, {}: unpack it first", what, compression_name(file));
}

const FileFormat& output_format(const std::string& path, FileHolds what) {
  const std::string_view name = without_compression(path);
  const std::string_view kind = what == FileHolds::model ? "a model" : "a tensor";
  for (const FileFormat* format : formats) {
    const bool named = std::ranges::any_of(
        format->extensions, [&](std::string_view extension) { return ends_with_any_case(name, extension); });
    if (!named) continue;
    if (name.size() != path.size() && !format->text) {
      fail(ErrorKind::usage, "cannot write '{}': {} is not written compressed, only text is; leave {} out", path,
           format->name, path.substr(name.size()));
    }
    if (can_write(*format, what)) return *format;
    fail(ErrorKind::usage, "cannot write '{}': {} does not hold {}; use {}", path, format->name, kind,
         writable_extensions(what));
  }
  fail(ErrorKind::usage, "cannot write '{}': the extension gives the format; for {} use {}", path, kind,
       writable_extensions(what));
}

std::string readable_extensions() {
  return extension_list([](const FileFormat& format) { return format.recognises != nullptr; });
}

std::string writable_extensions(FileHolds what) {
  return extension_list([what](const FileFormat& format) { return can_write(format, what); });
}

}  // namespace polyad
