/* SPDX-License-Identifier: MIT
 *
 * File options inside a specification: how paths are written and read (source.h).  */
#pragma once

#include "core/data/source/source.h"

/* Cuts a specification of a file at the colon before its options, if it has any.  A colon may as well be
 * part of a name, so a file that exists goes first.  Returns the options or NULL.  */
char *sl_source_cut_options (char *spec);

/* Reads the value of a file option.  SL_EINVAL: too long, or a byte 0.  */
SlStatus sl_source_path_read (const char *id, const char *text, char path[SL_SOURCE_PATH_MAX]);

/* Appends ",option=path" (or ":option=path" when `first`) for every file that was chosen. */
void sl_source_files_append (const SlSource *source, const SlSourceFiles *files, bool first,
                             char *text, size_t size);

/* Makes the paths of what is there absolute and free of links; the others, and words, stay. */
void sl_source_files_resolve (const SlSource *source, SlSourceFiles *files);
