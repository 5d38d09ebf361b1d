#pragma once
// How much memory there is, and sizes for people.

#include <string>

namespace polyad {

/// Bytes that can still be allocated without swapping, as the system tells; infinity where it does not tell.
double available_memory();

/// Throws a data error with the figures where this many bytes are more than is available; `what` is what needs them.
void require_memory(double bytes, const std::string& what);

/// "1.5 GB", "320 MB".
std::string bytes_text(double bytes);

}  // namespace polyad
