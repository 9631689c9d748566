/* SPDX-License-Identifier: MIT
 *
 * A recipe as a member of a larger JSON document.  Private to core/run.  */
#pragma once

#include <json-glib/json-glib.h>

#include "core/run/record/recipe.h"

/* As sl_recipe_read(), from a parsed object. */
gboolean sl_recipe_read_object (JsonObject *object, SlRecipe *recipe, GError **error);

/* Parses a text whose root is an object; g_object_unref() the parser, which owns *object.
 * NULL with a sentence that names `subject`.  */
JsonParser *sl_json_parse (const char *text, gssize length, const char *subject,
                           JsonObject **object, GError **error);
