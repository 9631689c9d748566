/* SPDX-License-Identifier: MIT
 *
 * What a JSON file of Sluice is.  */
#pragma once

#include <glib.h>

/* In the person's language; NULL with a sentence.  Free with g_free(). */
char *sl_validate_json (const char *path, GError **error);

/* The same for any file with a recipe. */
char *sl_validate_recipe (const char *path, GError **error);
