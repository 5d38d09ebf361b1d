#pragma once
// How much memory there is, and sizes for people.

#include <cstddef>
#include <string>
#include <string_view>

namespace polyad {

/// Bytes that can still be allocated without swapping, as the system reports, within the limits of a container; infinity where
/// it does not say.
double available_memory();

/// Bytes of data this process has, as RLIMIT_DATA counts them; 0 where the system does not say.
double private_memory();

/// Throws a data error with the figures where this many bytes are more than is available; `what` is what needs them.
void require_memory(double bytes, const std::string& what);

/// Tells the system that this part of a mapped file will be read here and there. Where it is larger than what is available,
/// nothing is read ahead then: the neighbours of what was asked for would push out what is needed next.
void expect_random_reads(const void* data, std::size_t bytes);

/// "1.5 GB", "320 MB".
std::string bytes_text(double bytes);

/// A data error that says what for, where this many bytes are more than there are.
void require_memory(std::string_view what_for, double bytes);

}  // namespace polyad
