/* SPDX-License-Identifier: MIT
 *
 * Settings as the user types them: where a parameter takes a text of JSON, also the name of a file
 * with it.  Recipes and other files are read by sl_settings_set() alone, so that they open no
 * file.  */
#pragma once

#include "core/base/param.h"

/* As sl_param_parse(); for a file that cannot be read, is none or is too long, as sl_bytes_file(). */
SlStatus sl_param_give (const SlParam *param, const char *text, SlValue *value);

/* As sl_settings_set(), and sl_param_give(). */
SlStatus sl_settings_give (SlSettings *settings, const SlParam *params, unsigned n_params,
                           const char *id, const char *text);
