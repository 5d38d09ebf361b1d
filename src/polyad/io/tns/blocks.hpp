#pragma once
// Parses the blocks of a .tns file on several threads while the next ones are read and decompressed. What comes out, records,
// places and errors, is what parsing line after line gives.

#include <polyad/io/text/text_source.hpp>
#include <polyad/io/tns/entries.hpp>

#include <cstdint>

namespace polyad {

/// Parses all that is left of the source into `entries`; its next line has the number `line`. `threads` as in thread_count.
/// Memory: that of the records and of a few blocks a thread.
void parse_blocks(TextSource& source, std::uint64_t line, std::size_t threads, TnsEntries& entries);

}  // namespace polyad
