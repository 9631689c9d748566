/* SPDX-License-Identifier: MIT
 *
 * Recipes, and values of parameters, as parts of larger JSON documents.  */
#pragma once

#include "core/run/base/json.h"
#include "core/run/record/recipe.h"

enum { SL_RECIPE_BYTES = 16 << 20 /* of a recipe, at most */ };

/* As sl_recipe_read(), from a parsed object. */
gboolean sl_recipe_read_json (const SlJson *object, SlRecipe *recipe, GError **error);

/* A value as sl_param_parse() reads it for this parameter (NULL: it is not known, and no list);
 * NULL when it is of a kind that no parameter has.  Free with g_free().  */
char *sl_json_value_text (const SlJson *json, const SlParam *param);

/* Writes a value as the kind of its parameter is written in JSON. */
void sl_json_add_value (SlJsonWriter *w, const char *key, const SlParam *param,
                        const SlValue *value);
