/* SPDX-License-Identifier: MIT */
#include "core/run/base/settings.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "core/base/texts.h"

/* The whole file, of which no more than a text may have is read. */
static SlStatus
read_file (const char *path, char *text)
{
  FILE  *file = fopen (path, "rb");
  size_t length = file != NULL ? fread (text, 1, SL_TEXT_BYTES, file) : 0;
  bool   failed = file == NULL || ferror (file) != 0;
  int    reason = errno;

  if (file != NULL)
    fclose (file);
  if (failed)
    return sl_status_new (SL_EIO, path, sl_message_verbatim (g_strerror (reason)), SL_NO_MESSAGE);
  if (length == SL_TEXT_BYTES)
    return sl_status_new (SL_EFORMAT, path, sl_message ("too long a text"),
                          sl_message ("less than %d bytes", SL_TEXT_BYTES));
  text[length] = '\0';
  if (strlen (text) < length || text[strspn (text, " \t\r\n")] != '{')
    return sl_status_new (SL_EFORMAT, path, sl_message ("something else"),
                          sl_message ("an object of JSON"));
  return SL_SUCCESS;
}

SlStatus
sl_param_give (const SlParam *param, const char *text, SlValue *value)
{
  SlStatus         status = sl_param_parse (param, text, value);
  g_autofree char *read = NULL;

  if (sl_ok (&status) || param->kind != SL_TEXT || text[0] == '{')
    return status;
  read = g_malloc (SL_TEXT_BYTES);
  status = read_file (text, read);
  return sl_ok (&status) ? sl_param_parse (param, read + strspn (read, " \t\r\n"), value) : status;
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
