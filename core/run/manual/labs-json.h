/* SPDX-License-Identifier: MIT
 *
 * Labs as JSON, for programs.  Any thread.  */
#pragma once

#include "core/lab/lab.h"

/* "measured", "theory", …; static. */
const char *sl_style_words (SlStyle style);

/* A NULL-ended list of labs as one JSON array; free with g_free(). */
char *sl_labs_json (const SlLab *const *labs);
