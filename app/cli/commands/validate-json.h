/* SPDX-License-Identifier: MIT
 *
 * What documents of Sluice are, in the user's language; NULL with a sentence.  Free with g_free().  */
#pragma once

#include <glib.h>

char *sl_validate_run (const char *path, GError **error);
char *sl_validate_style (const char *path, GError **error);
char *sl_validate_sweep (const char *path, GError **error);
char *sl_validate_answers (const char *path, GError **error);
char *sl_validate_network (const char *path, GError **error);

/* Any file with a recipe. */
char *sl_validate_recipe (const char *path, GError **error);
