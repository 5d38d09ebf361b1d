#pragma once
// Temporary files of writers that were killed. A writer holds a lock (flock) on its temporary file for as long as it lives; the
// kernel lets go of it with the process, whatever ended it, on this machine or another. A file that can be locked is nobody's.

#include <string>
#include <string_view>

namespace polyad {

/// How temporary files begin and end; between the two: process and number.
inline constexpr std::string_view temporary_prefix = ".polyad-write-";
inline constexpr std::string_view temporary_suffix = ".tmp";

/// Locks a file that was just made at `path`; false where another process took it for a stale one meanwhile. Where the file
/// system has no locks nobody removes anything, and the answer is true.
bool lock_temporary(int descriptor, const std::string& path);

/// Removes the temporary files in `folder` that no living writer holds. Looks once per folder and process; trouble is nobody's
/// concern here.
void remove_stale_files(const std::string& folder);

}  // namespace polyad
