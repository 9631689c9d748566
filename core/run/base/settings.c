/* SPDX-License-Identifier: MIT */
#include "core/run/base/settings.h"

#include <stdlib.h>
#include <string.h>

#include "core/base/texts.h"
#include "core/data/text/bytes.h"

SlStatus
sl_param_give (const SlParam *param, const char *text, SlValue *value)
{
  SlStatus    status = sl_param_parse (param, text, value);
  const char *json;
  uint8_t    *bytes;
  size_t      length;

  if (sl_ok (&status) || param->kind != SL_TEXT || text[0] == '{')
    return status;
  status = sl_bytes_file (text, SL_TEXT_BYTES - 1, &bytes, &length);
  if (!sl_ok (&status))
    return status;
  json = (const char *) bytes + strspn ((const char *) bytes, " \t\r\n");
  status = strlen ((const char *) bytes) == length && json[0] == '{'
             ? sl_param_parse (param, json, value)
             : sl_status_new (SL_EFORMAT, text, sl_message ("something else"),
                              sl_message ("an object of JSON"));
  free (bytes);
  return status;
}

SlStatus
sl_settings_give (SlSettings *settings, const SlParam *params, unsigned n_params, const char *id,
                  const char *text)
{
  int param = sl_param_find (params, n_params, id);

  return param >= 0 && params[param].kind == SL_TEXT
           ? sl_param_give (&params[param], text, &settings->value[param])
           : sl_settings_set (settings, params, n_params, id, text);
}
