/* SPDX-License-Identifier: MIT
 *
 * Settings as people give them: where a parameter takes a text of JSON, also the name of a file with
 * it.  Recipes and other files are read by sl_settings_set() alone, so that they open no file.  */
#pragma once

#include "core/base/param.h"

/* As sl_param_parse(); SL_EIO where the file cannot be read. */
SlStatus sl_param_give (const SlParam *param, const char *text, SlValue *value);

/* As sl_settings_set(); SL_EIO where the file cannot be read. */
SlStatus sl_settings_give (SlSettings *settings, const SlParam *params, unsigned n_params,
                           const char *id, const char *text);
