/* SPDX-License-Identifier: MIT */
#include "core/base/param.h"

#include <assert.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/words.h"

/* The program may run under any locale; files and command lines are always in C. */
static double
read_number (const char *text, char **end)
{
  locale_t c_locale = newlocale (LC_ALL_MASK, "C", (locale_t) 0);
  double   number = strtod_l (text, end, c_locale);

  freelocale (c_locale);
  return number;
}

/* The shortest text that reads back as the same double, with a point. */
static void
write_number (double value, char *text, size_t size)
{
  char *comma;

  for (int digits = 6; digits <= 17; digits++)
    {
      snprintf (text, size, "%.*g", digits, value);
      comma = strchr (text, ',');
      if (comma != NULL)
        *comma = '.';
      if (read_number (text, NULL) == value)
        return;
    }
}

int
sl_param_find (const SlParam *params, unsigned n_params, const char *id)
{
  for (unsigned i = 0; i < n_params; i++)
    if (strcmp (params[i].id, id) == 0)
      return (int) i;
  return -1;
}

bool
sl_param_is_whole (const SlParam *param)
{
  return param->kind != SL_REAL && !(param->kind == SL_LIST && param->step != rint (param->step));
}

/* Where an element can begin with a minus, or have one in its exponent, a dash cannot tell them apart. */
static bool
has_slashes (const SlParam *param)
{
  return param->kind == SL_LIST && (param->lo < 0.0 || !sl_param_is_whole (param));
}

const char *
sl_param_separator (const SlParam *param)
{
  return has_slashes (param) ? "/" : "-";
}

/* What a value must be: "a number from 0 to 1". */
static SlMessage
range_of (const SlParam *param)
{
  char     lo[32], hi[32], list[128] = "";
  size_t   at = 0;
  unsigned last;

  write_number (param->lo, lo, sizeof lo);
  write_number (param->hi, hi, sizeof hi);
  switch (param->kind)
    {
    case SL_REAL: return sl_message ("a number from %s to %s", lo, hi);
    case SL_INTEGER: return sl_message ("a whole number from %s to %s", lo, hi);
    case SL_BOOLEAN: return sl_message ("yes or no");
    case SL_LIST:
      if (!sl_param_is_whole (param))
        return sl_message ("numbers from %s to %s joined by '/', at most %d", lo, hi, SL_LIST_MAX);
      return sl_message ("whole numbers from %s to %s joined by '%c', at most %d", lo, hi,
                         has_slashes (param) ? '/' : '-', SL_LIST_MAX);
    case SL_CHOICE: break;
    }
  last = sl_param_offers (param) - 1;
  for (unsigned i = 0; i < last && at < sizeof list; i++)
    at += (size_t) snprintf (list + at, sizeof list - at, "%s%s", at > 0 ? ", " : "",
                             param->choices[i].id);
  return sl_message ("%s or %s", list, param->choices[last].id);
}

static SlStatus
refuse_value (const SlParam *param, const char *found)
{
  char quoted[128];

  snprintf (quoted, sizeof quoted, "\"%s\"", found);
  return sl_status_new (SL_EINVAL, param->id, sl_message_verbatim (quoted), range_of (param));
}

unsigned
sl_param_offers (const SlParam *param)
{
  unsigned n = 0;

  while (param->choices[n].id != NULL && !param->choices[n].programs)
    n++;
  return n;
}

static unsigned
count_choices (const SlParam *param)
{
  unsigned n = 0;

  while (param->choices[n].id != NULL)
    n++;
  return n;
}

bool
sl_value_same (const SlValue *a, const SlValue *b)
{
  return a->n == b->n && memcmp (a->v, b->v, a->n * sizeof *a->v) == 0;
}

bool
sl_settings_same (const SlSettings *a, const SlSettings *b, unsigned n_params)
{
  for (unsigned i = 0; i < n_params; i++)
    if (!sl_value_same (&a->value[i], &b->value[i]))
      return false;
  return true;
}

SlStatus
sl_param_check (const SlParam *param, const SlValue *value)
{
  char   found[128];
  double lo = param->lo, hi = param->hi;
  bool   whole = sl_param_is_whole (param);

  if (param->kind == SL_BOOLEAN)
    lo = 0.0, hi = 1.0;
  else if (param->kind == SL_CHOICE)
    lo = 0.0, hi = count_choices (param) - 1.0;
  if (value->n == 0 || value->n > SL_LIST_MAX || (param->kind != SL_LIST && value->n != 1))
    {
      snprintf (found, sizeof found, "%u values", value->n);
      return refuse_value (param, found);
    }
  for (unsigned i = 0; i < value->n; i++)
    if (!(value->v[i] >= lo && value->v[i] <= hi) || (whole && value->v[i] != rint (value->v[i])))
      {
        write_number (value->v[i], found, sizeof found);
        return refuse_value (param, found);
      }
  return SL_SUCCESS;
}

double
sl_param_tidy (const SlParam *param, double value)
{
  char text[32];

  if (sl_param_is_whole (param))
    value = rint (value);
  else if (param->logarithmic && param->lo > 0.0 && value > 0.0)
    {
      double unit = pow (10.0, floor (log10 (value)) - 2.0);

      value = rint (value / unit) * unit;
    }
  else if (param->step > 0.0)
    value = rint (value / param->step) * param->step;
  /* Products of steps such as 3 × 0.1 leave noise in the last digit. */
  snprintf (text, sizeof text, "%.10g", value);
  return fmin (fmax (strtod (text, NULL), param->lo), param->hi);
}

static bool
parse_choice (const SlParam *param, const char *text, SlValue *value)
{
  for (unsigned i = 0; param->choices[i].id != NULL; i++)
    if (strcmp (param->choices[i].id, text) == 0)
      {
        *value = (SlValue) { .n = 1, .v = { i } };
        return true;
      }
  return false;
}

static bool
parse_flag (const char *text, SlValue *value)
{
  static const char *const words[] = { "no", "yes", "0", "1", "false", "true", "off", "on" };

  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp (words[i], text) == 0)
      {
        *value = (SlValue) { .n = 1, .v = { i % 2 } };
        return true;
      }
  return false;
}

/* Numbers with one of `between` from one to the next; NULL: a single number. */
static bool
parse_numbers (const char *text, const char *between, SlValue *value)
{
  value->n = 0;
  for (;;)
    {
      char  *end;
      double number;

      /* Where '-' separates, an element has no sign. */
      if (between != NULL && *between == '-' && (*text < '0' || *text > '9'))
        return false;
      number = read_number (text, &end);
      if (end == text || !isfinite (number) || value->n == SL_LIST_MAX)
        return false;
      value->v[value->n++] = number;
      if (*end == '\0')
        return true;
      if (between == NULL || strchr (between, *end) == NULL)
        return false;
      text = end + 1;
    }
}

SlStatus
sl_param_parse (const SlParam *param, const char *text, SlValue *value)
{
  SlValue read = { 0 };
  bool    good = false;

  switch (param->kind)
    {
    case SL_CHOICE: good = parse_choice (param, text, &read); break;
    case SL_BOOLEAN: good = parse_flag (text, &read); break;
    case SL_LIST: good = parse_numbers (text, has_slashes (param) ? "/," : "-", &read); break;
    case SL_REAL:
    case SL_INTEGER: good = parse_numbers (text, NULL, &read); break;
    }
  if (!good)
    return refuse_value (param, text);

  SlStatus status = sl_param_check (param, &read);

  if (sl_ok (&status))
    *value = read;
  return status;
}

const char *
sl_param_format (const SlParam *param, const SlValue *value, char *text, size_t size)
{
  char number[32];

  text[0] = '\0';
  switch (param->kind)
    {
    case SL_CHOICE: snprintf (text, size, "%s", param->choices[(unsigned) value->v[0]].id); break;
    case SL_BOOLEAN: snprintf (text, size, "%s", value->v[0] != 0.0 ? "yes" : "no"); break;
    case SL_REAL:
    case SL_INTEGER:
    case SL_LIST:
      for (unsigned i = 0; i < value->n; i++)
        {
          size_t used = strlen (text);

          write_number (value->v[i], number, sizeof number);
          snprintf (text + used, size - used, "%s%s", i > 0 ? sl_param_separator (param) : "",
                    number);
        }
      break;
    }
  return text;
}

void
sl_settings_default (SlSettings *settings, const SlParam *params, unsigned n_params)
{
  assert (n_params <= SL_PARAMS_MAX);
  memset (settings, 0, sizeof *settings);
  for (unsigned i = 0; i < n_params; i++)
    {
      settings->value[i] = (SlValue) { .n = 1, .v = { params[i].fallback } };
      if (params[i].kind == SL_LIST)
        (void) sl_param_parse (&params[i], params[i].list, &settings->value[i]);
    }
  sl_settings_settle (settings, params, n_params);
}

void
sl_settings_settle (SlSettings *settings, const SlParam *params, unsigned n_params)
{
  assert (n_params <= SL_PARAMS_MAX);
  for (unsigned i = 0; i < n_params; i++)
    {
      int followed = params[i].each != NULL ? sl_param_find (params, n_params, params[i].each) : -1;
      SlValue *value = &settings->value[i];

      if (followed < 0)
        continue;
      for (unsigned j = value->n; j < settings->value[followed].n; j++)
        value->v[j] = value->v[value->n - 1];
      value->n = settings->value[followed].n;
    }
}

SlStatus
sl_settings_set (SlSettings *settings, const SlParam *params, unsigned n_params, const char *id,
                 const char *text)
{
  int      param = sl_param_find (params, n_params, id);
  unsigned nearest = 0;
  SlStatus status;

  assert (n_params <= SL_PARAMS_MAX);
  if (param < 0)
    {
      for (unsigned i = 1; i < n_params; i++)
        if (sl_word_distance (id, params[i].id) < sl_word_distance (id, params[nearest].id))
          nearest = i;
      return sl_status_new (SL_EINVAL, id, sl_message ("no parameter of this name"),
                            sl_message ("perhaps %s", n_params > 0 ? params[nearest].id : "none"));
    }
  status = sl_param_parse (&params[param], text, &settings->value[param]);
  if (sl_ok (&status))
    sl_settings_settle (settings, params, n_params);
  return status;
}

SlStatus
sl_settings_set_words (SlSettings *settings, const SlParam *params, unsigned n_params,
                       const char *words)
{
  SlStatus status = SL_SUCCESS;
  size_t   length;

  for (words = words != NULL ? words : ""; *words != '\0' && sl_ok (&status); words += length)
    {
      char *word, *equals;

      words += strspn (words, " ");
      length = strcspn (words, " ");
      word = strndup (words, length);
      equals = word != NULL ? strchr (word, '=') : NULL;
      if (equals != NULL)
        {
          *equals = '\0';
          status = sl_settings_set (settings, params, n_params, word, equals + 1);
        }
      else if (word == NULL)
        status = sl_status_no_memory ("settings");
      else if (length > 0)
        status = sl_status_new (SL_EINVAL, "settings", sl_message_verbatim (word),
                                sl_message_verbatim ("id=value"));
      free (word);
    }
  return status;
}

/* One condition, "gate=noisy", "gate!=noisy" or "groups>1", of `length` letters. */
static bool
condition_holds (const SlSettings *settings, const SlParam *params, unsigned n_params,
                 const char *condition, size_t length)
{
  size_t  id = strcspn (condition, "!=>"), sign = condition[id] == '!' ? 2 : 1;
  char    name[64], text[64];
  SlValue wanted;
  double  is;

  snprintf (name, sizeof name, "%.*s", (int) id, condition);
  snprintf (text, sizeof text, "%.*s", (int) (length - id - sign), condition + id + sign);

  int      other = sl_param_find (params, n_params, name);
  SlStatus status = sl_param_parse (&params[other], text, &wanted);

  is = settings->value[other].v[0];
  return sl_ok (&status)
         && (condition[id] == '='   ? is == wanted.v[0]
             : condition[id] == '!' ? is != wanted.v[0]
                                    : is > wanted.v[0])
         && sl_param_matters (settings, params, n_params, (unsigned) other);
}

/* Whether one of the conditions of a word with '|' between them holds. */
static bool
alternative_holds (const SlSettings *settings, const SlParam *params, unsigned n_params,
                   const char *word, size_t length)
{
  for (size_t at = 0, end; at < length; at = end + 1)
    {
      for (end = at; end < length && word[end] != '|'; end++)
        ;
      if (condition_holds (settings, params, n_params, word + at, end - at))
        return true;
    }
  return false;
}

bool
sl_needs_hold (const SlSettings *settings, const SlParam *params, unsigned n_params,
               const char *needs)
{
  while (needs != NULL && *needs != '\0')
    {
      size_t length = strcspn (needs, " ");

      if (strncmp (needs, "data.", strlen ("data.")) != 0
          && !alternative_holds (settings, params, n_params, needs, length))
        return false;
      needs += length + strspn (needs + length, " ");
    }
  return true;
}

bool
sl_param_matters (const SlSettings *settings, const SlParam *params, unsigned n_params,
                  unsigned param)
{
  assert (param < n_params);
  return sl_needs_hold (settings, params, n_params, params[param].needs);
}

double
sl_param_reach (const SlSettings *settings, const SlParam *params, unsigned n_params,
                unsigned param)
{
  const char *most = params[param].most;
  int         other = most != NULL ? sl_param_find (params, n_params, most) : -1;

  return other >= 0 && settings->value[other].v[0] < params[param].hi ? settings->value[other].v[0]
                                                                      : params[param].hi;
}

SlStatus
sl_settings_check_reach (const SlSettings *settings, const SlParam *params, unsigned n_params)
{
  for (unsigned i = 0; i < n_params; i++)
    {
      double value = settings->value[i].v[0],
             reach = sl_param_reach (settings, params, n_params, i);

      if (params[i].most != NULL && value > reach && value != params[i].fallback
          && sl_param_matters (settings, params, n_params, i))
        return sl_status_new (SL_EINVAL, params[i].id, sl_message ("%u", (unsigned) value),
                              sl_message ("at most %u (%s)", (unsigned) reach, params[i].most));
    }
  return SL_SUCCESS;
}
