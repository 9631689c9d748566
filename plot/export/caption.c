/* SPDX-License-Identifier: MIT
 *
 * The settings of a run in one line; see export.h.  */
#include <glib/gi18n.h>
#include <string.h>

#include "core/data/source/files.h"
#include "core/run/base/language.h"
#include "core/run/record/recipe.h"
#include "plot/export/export.h"

/* How a caption is said. */
typedef struct
{
  const char *(*words) (const char *);
  const char *seed, *update;
} Saying;

static const char dot[] = " \302\267 ", arrow[] = " \342\206\222 ";

/* ---- data ---- */

/* Whether an option has the value that it has when it is not named; a share of a file depends on what the file is. */
static bool
is_usual (const SlSource *source, const char *option, const char *value)
{
  const SlParam *params = source != NULL ? source->params : sl_file_params;
  unsigned       n = source != NULL ? source->n_params : sl_n_file_params;
  int            p = sl_param_find (params, n, option);
  bool           usual = false;

  for (unsigned i = 0; p >= 0 && i < (source == NULL ? 3 : 1); i++)
    {
      SlSettings settings;
      char       text[128];

      sl_settings_default (&settings, params, n);
      if (i > 0)
        sl_source_settle_shares (i == 1, &settings);
      sl_param_format (&params[p], &settings.value[p], text, sizeof text);
      usual = usual || strcmp (text, value) == 0;
    }
  return usual;
}

/* The name of a recording is that of its file. */
static bool
names_data (const SlSource *source, const char *option)
{
  return source != NULL && source->yields == SL_NEEDS_ROUTING
         && sl_source_file (source, option) == 0;
}

static void
append_data (GString *caption, const char *spec)
{
  g_autofree char *text = g_strdup (spec), *name = NULL;
  size_t           id = strcspn (spec, ":");
  g_autofree char *first = g_strndup (spec, id);
  const SlSource  *source = sl_source_find (first);
  char            *options = source == NULL     ? sl_source_cut_options (text)
                             : spec[id] != '\0' ? text + id + 1
                                                : NULL;
  g_auto (GStrv) option = g_strsplit (options != NULL ? options : "", ",", -1);
  g_autoptr (GString) others = g_string_new (NULL);

  name = source != NULL ? g_strdup (source->id) : g_path_get_basename (text);
  for (unsigned i = 0; option[i] != NULL; i++)
    {
      char            *value = strchr (option[i], '=');
      g_autofree char *file = NULL;

      if (value == NULL)
        continue;
      *value++ = '\0';
      file = g_path_get_basename (value);
      if (names_data (source, option[i]))
        {
          g_free (name);
          name = g_steal_pointer (&file);
        }
      else if (!is_usual (source, option[i], value))
        g_string_append_printf (others, "%c%s=%s", others->len == 0 ? ':' : ',', option[i], file);
    }
  g_string_append_printf (caption, "%s%s%s", dot, name, others->str);
}

/* ---- settings ---- */

/* What a setting was at first and, where it was changed on the way, from which updates on it was what: at most the
 * latest of many.  */
static void
append_setting (GString *caption, const SlRecipe *recipe, unsigned p, const Saying *saying)
{
  enum { LATEST = 3 };
  const SlParam *param = &recipe->lab->params[p];
  unsigned       n = 0, at = 0;
  char           value[128];

  for (guint i = 0; recipe->changes != NULL && i < recipe->changes->len; i++)
    n += g_array_index (recipe->changes, SlChange, i).param == p;
  sl_param_format (param, &recipe->settings.value[p], value, sizeof value);
  g_string_append_printf (caption, "%s%s %s%s", dot, param->id, value,
                          n > LATEST ? " \342\206\222 \342\200\246" : "");
  for (guint i = 0; n > 0 && i < recipe->changes->len; i++)
    {
      const SlChange *change = &g_array_index (recipe->changes, SlChange, i);

      if (change->param != p || at++ + LATEST < n)
        continue;
      sl_param_format (param, &change->value, value, sizeof value);
      g_string_append_printf (caption, "%s%s (%s %" G_GUINT64_FORMAT ")", arrow, value,
                              saying->update, change->step);
    }
}

static bool
was_changed (const SlRecipe *recipe, unsigned p)
{
  for (guint i = 0; recipe->changes != NULL && i < recipe->changes->len; i++)
    if (g_array_index (recipe->changes, SlChange, i).param == p)
      return true;
  return false;
}

static bool
has_other_value (const SlRecipe *recipe, const SlSettings *plain, unsigned p)
{
  const SlParam *param = &recipe->lab->params[p];
  char           now[128], usual[128];

  sl_param_format (param, &recipe->settings.value[p], now, sizeof now);
  sl_param_format (param, &plain->value[p], usual, sizeof usual);
  return strcmp (now, usual) != 0;
}

static char *
write_caption (const char *recipe, const Saying *saying, bool step)
{
  SlRecipe   read;
  SlSettings plain;
  GString   *caption;

  if (recipe == NULL || !sl_recipe_read (recipe, &read, NULL))
    return NULL;
  caption = g_string_new (saying->words (read.lab->title));
  sl_settings_default (&plain, read.lab->params, read.lab->n_params);
  sl_settings_settle (&plain, read.lab->params, read.lab->n_params);
  for (unsigned p = 0; p < sl_lab_n_settings (read.lab); p++)
    if (was_changed (&read, p)
        || (has_other_value (&read, &plain, p)
            && sl_param_matters (&read.settings, read.lab->params, read.lab->n_params, p)))
      append_setting (caption, &read, p, saying);
  if (read.data[0] != '\0')
    append_data (caption, read.data);
  g_string_append_printf (caption, "%s%s %" G_GUINT64_FORMAT, dot, saying->seed, read.seed);
  if (read.step > 0 && step)
    g_string_append_printf (caption, "%s%s %" G_GUINT64_FORMAT, dot, saying->update, read.step);
  sl_recipe_clear (&read);
  return g_string_free (caption, FALSE);
}

static const char *
as_it_is (const char *text)
{
  return text;
}

static const Saying english = { as_it_is, "seed", "update" };

char *
sl_export_caption (const char *recipe)
{
  return write_caption (recipe, &english, true);
}

char *
sl_export_film_caption (const char *recipe)
{
  return write_caption (recipe, &english, false);
}

char *
sl_export_heading (const char *recipe)
{
  const Saying saying = { sl_words, C_ ("caption", "seed"), C_ ("caption", "update") };

  return write_caption (recipe, &saying, true);
}
