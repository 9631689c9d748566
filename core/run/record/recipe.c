/* SPDX-License-Identifier: MIT
 *
 * Recipes as JSON.  Settings are written as JSON numbers, names, truth values and arrays and
 * read through sl_param_parse(), so that a recipe obeys the same ranges as a command line.  */
#include "core/run/record/recipe.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/nn/kernels/mat.h"
#include "core/run/base/error.h"
#include "core/run/base/language.h"
#include "core/run/base/number.h"
#include "core/run/record/recipe-json.h"

void
sl_recipe_init (SlRecipe *recipe, const SlLab *lab, const SlSettings *settings,
                const SlDataset *dataset, uint64_t seed)
{
  *recipe = (SlRecipe) { .lab = lab, .settings = *settings, .seed = seed };
  if (dataset != NULL)
    {
      snprintf (recipe->data, sizeof recipe->data, "%s", dataset->id);
      recipe->data_hash = dataset->hash;
    }
  snprintf (recipe->kernel, sizeof recipe->kernel, "%s", sl_blas_kernel ());
  snprintf (recipe->version, sizeof recipe->version, "%s", SL_VERSION);
  recipe->threads = sl_blas_threads ();
}

void
sl_recipe_clear (SlRecipe *recipe)
{
  g_clear_pointer (&recipe->changes, g_array_unref);
  g_free (recipe->gone);
  *recipe = (SlRecipe) { 0 };
}

SlSettings
sl_recipe_settings (const SlRecipe *recipe, unsigned n)
{
  SlSettings settings = recipe->settings;

  for (guint i = 0; recipe->changes != NULL && i < MIN (n, recipe->changes->len); i++)
    {
      const SlChange *change = &g_array_index (recipe->changes, SlChange, i);

      settings.value[change->param] = change->value;
    }
  return settings;
}

static gboolean
says (const char *packed, const char *english)
{
  char text[SL_CHANGE_MARKER_ENGLISH];

  return strcmp (sl_message_show (packed, NULL, text, sizeof text), english) == 0;
}

/* Names a marker whose message is known in English only, after the change that was made there: one
 * step, or the last of a drag that began there.  */
static void
name_marker (const SlRecipe *recipe, SlChangeMarker *marker)
{
  const SlParam *params = recipe->lab->params;
  SlSettings     now = recipe->settings, before = now;

  for (guint i = 0; i < recipe->changes->len; i++)
    {
      const SlChange *change = &g_array_index (recipe->changes, SlChange, i);
      const SlParam  *param = &params[change->param];
      char            text[SL_CHANGE_MARKER_TEXT];

      if ((double) change->step + 1.0 < marker->step)
        before.value[change->param] = change->value;
      else if (says (
                 sl_change_marker_text (param, &before.value[change->param], &change->value, text),
                 marker->text)
               || says (
                 sl_change_marker_text (param, &now.value[change->param], &change->value, text),
                 marker->text))
        {
          memcpy (marker->text, text, sizeof text);
          return;
        }
      now.value[change->param] = change->value;
    }
}

void
sl_recipe_name_markers (const SlRecipe *recipe, SlRecord *record)
{
  for (unsigned i = 0; recipe->changes != NULL && i < record->n_flags; i++)
    name_marker (recipe, &record->flag[i]);
}

void
sl_json_add_value (SlJsonWriter *w, const char *key, const SlParam *param, const SlValue *value)
{
  char text[512];

  switch (param->kind)
    {
    case SL_REAL:
    case SL_INTEGER: sl_json_add_number (w, key, value->v[0]); break;
    case SL_BOOLEAN: sl_json_add_truth (w, key, value->v[0] != 0.0); break;
    case SL_CHOICE:
      sl_json_add_text (w, key, sl_param_format (param, value, text, sizeof text));
      break;
    case SL_LIST: sl_json_add_numbers (w, key, value->v, value->n, SL_JSON_TIGHT); break;
    }
}

char *
sl_recipe_write (const SlRecipe *recipe)
{
  const SlLab *lab = recipe->lab;
  SlJsonWriter w;
  char         number[32];

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_whole (&w, "sluice-recipe", 1);
  sl_json_add_text (&w, "lab", lab->id);
  sl_json_open (&w, "settings", '{', SL_JSON_LINES);
  for (unsigned i = 0; i < lab->n_params; i++)
    sl_json_add_value (&w, lab->params[i].id, &lab->params[i], &recipe->settings.value[i]);
  sl_json_close (&w);
  sl_json_add_text (&w, "data", recipe->data);
  /* 64 bits do not fit into the numbers of most JSON readers. */
  snprintf (number, sizeof number, "%016" PRIx64, recipe->data_hash);
  sl_json_add_text (&w, "data-hash", number);
  snprintf (number, sizeof number, "%" PRIu64, recipe->seed);
  sl_json_add_text (&w, "seed", number);
  sl_json_add_whole (&w, "step", recipe->step);
  sl_json_add_text (&w, "kernel", recipe->kernel);
  sl_json_add_whole (&w, "threads", recipe->threads);
  sl_json_add_text (&w, "version", recipe->version);
  sl_json_open (&w, "changes", '[', SL_JSON_LINES);
  for (unsigned i = 0; recipe->changes != NULL && i < recipe->changes->len; i++)
    {
      const SlChange *change = &g_array_index (recipe->changes, SlChange, i);

      sl_json_open (&w, NULL, '{', SL_JSON_LOOSE);
      sl_json_add_whole (&w, "step", change->step);
      sl_json_add_text (&w, "param", lab->params[change->param].id);
      sl_json_add_value (&w, "value", &lab->params[change->param], &change->value);
      sl_json_close (&w);
    }
  return sl_json_writer_end (&w, TRUE);
}

char *
sl_json_value_text (const SlJson *json, const SlParam *param)
{
  char     number[SL_NUMBER_SIZE];
  GString *list;

  switch (json->kind)
    {
    case SL_JSON_NUMBER: return g_strdup (sl_number_format (json->number, number));
    case SL_JSON_TEXT: return g_strdup (json->text);
    case SL_JSON_TRUTH: return g_strdup (json->number != 0.0 ? "yes" : "no");
    case SL_JSON_NULL:
    case SL_JSON_OBJECT: return NULL;
    case SL_JSON_ARRAY: break;
    }
  list = g_string_new (NULL);
  for (const SlJson *element = json->first; element != NULL; element = element->next)
    {
      if (element->kind != SL_JSON_NUMBER || json->n > SL_LIST_MAX)
        {
          g_string_free (list, TRUE);
          return NULL;
        }
      if (element != json->first)
        g_string_append (list, param != NULL ? sl_param_separator (param) : "-");
      g_string_append (list, sl_number_format (element->number, number));
    }
  return g_string_free (list, FALSE);
}

/* Refuses a member that is missing or of another kind than expected. */
static gboolean
refuse_kind (const SlJson *json, const char *key, const char *expected, GError **error)
{
  return sl_fail (error, SL_EFORMAT, key, sl_words (sl_json_kind_text (json)), expected);
}

static gboolean
read_value (const SlJson *json, const SlParam *param, SlValue *value, GError **error)
{
  g_autofree char *text = json != NULL ? sl_json_value_text (json, param) : NULL;
  SlStatus         status;

  if (text == NULL)
    return refuse_kind (json, param->id, _ ("a value"), error);
  status = sl_param_parse (param, text, value);
  return sl_status_good (&status, error);
}

static gboolean
read_text (const SlJson *object, const char *key, char *to, gsize size, GError **error)
{
  const SlJson *json = sl_json_member (object, key);

  if (json == NULL || json->kind != SL_JSON_TEXT)
    return refuse_kind (json, key, _ ("a text"), error);
  if (g_strlcpy (to, json->text, size) >= size)
    return sl_fail (error, SL_EFORMAT, key, _ ("a text that is too long"), NULL);
  return TRUE;
}

/* A whole number of 64 bits, written as a text. */
static gboolean
read_bits (const SlJson *object, const char *key, guint base, uint64_t *number, GError **error)
{
  const SlJson *json = sl_json_member (object, key);
  const char   *text = json != NULL && json->kind == SL_JSON_TEXT ? json->text : NULL;

  if (text == NULL || !g_ascii_string_to_unsigned (text, base, 0, G_MAXUINT64, number, NULL))
    return sl_fail (
      error, SL_EFORMAT, key, text != NULL ? text : sl_words (sl_json_kind_text (json)),
      base == 16 ? _ ("hexadecimal digits as a text") : _ ("a whole number as a text"));
  return TRUE;
}

static gboolean
read_count (const SlJson *object, const char *key, uint64_t *number, GError **error)
{
  const SlJson *json = sl_json_member (object, key);

  return sl_json_whole (json, G_MAXINT64, number)
         || refuse_kind (json, key, _ ("a whole number from 0"), error);
}

static int
find_param (const SlLab *lab, const char *id, GError **error)
{
  int param = id != NULL ? sl_param_find (lab->params, lab->n_params, id) : -1;

  if (param < 0)
    sl_fail (error, SL_EINVAL, id != NULL ? id : "param", _ ("no parameter of this name"),
             sl_words (lab->title));
  return param;
}

/* TRUE: the lab had this parameter once, and the recipe notes it. */
static gboolean
is_gone (SlRecipe *recipe, const char *id)
{
  char *before = recipe->gone;

  if (id == NULL || !sl_lab_had (recipe->lab, id))
    return FALSE;
  if (before == NULL)
    recipe->gone = g_strdup (id);
  else if (strstr (before, id) == NULL)
    {
      recipe->gone = g_strconcat (before, ", ", id, NULL);
      g_free (before);
    }
  return TRUE;
}

char *
sl_recipe_gone_text (const SlRecipe *recipe)
{
  if (recipe->gone == NULL)
    return NULL;
  return g_strdup_printf (_ ("Left out, as %s no longer has these settings: %s"),
                          sl_words (recipe->lab->title), recipe->gone);
}

static gboolean
read_settings (const SlJson *object, SlRecipe *recipe, GError **error)
{
  const SlLab  *lab = recipe->lab;
  const SlJson *settings = sl_json_member (object, "settings");

  if (settings == NULL || settings->kind != SL_JSON_OBJECT)
    return refuse_kind (settings, "settings", _ ("an object"), error);
  sl_settings_default (&recipe->settings, lab->params, lab->n_params);
  for (const SlJson *member = settings->first; member != NULL; member = member->next)
    {
      int param;

      if (is_gone (recipe, member->key))
        continue;
      param = find_param (lab, member->key, error);
      if (param < 0
          || !read_value (member, &lab->params[param], &recipe->settings.value[param], error))
        return FALSE;
    }
  sl_settings_settle (&recipe->settings, lab->params, lab->n_params);
  return TRUE;
}

/* One value is every element's, as of a parameter that was no list in earlier versions. */
static void
repeat_value (const SlRecipe *recipe, SlChange *change)
{
  SlSettings settings = recipe->settings;

  settings.value[change->param] = change->value;
  sl_settings_settle (&settings, recipe->lab->params, recipe->lab->n_params);
  change->value = settings.value[change->param];
}

static gboolean
read_change (const SlJson *object, SlRecipe *recipe, GError **error)
{
  const SlJson *json = sl_json_member (object, "param");
  const char   *id = json != NULL && json->kind == SL_JSON_TEXT ? json->text : NULL;
  SlChange      change;
  int           param;

  if (object->kind != SL_JSON_OBJECT)
    return refuse_kind (object, "changes", _ ("an object"), error);
  if (!read_count (object, "step", &change.step, error))
    return FALSE;
  if (is_gone (recipe, id))
    return TRUE;
  param = find_param (recipe->lab, id, error);
  if (param < 0)
    return FALSE;
  if (recipe->lab->params[param].effect != SL_LIVE)
    return sl_fail (error, SL_EINVAL, recipe->lab->params[param].id,
                    _ ("a change of a fixed parameter"), _ ("one that can change during the run"));
  if (recipe->changes->len > 0
      && change.step < g_array_index (recipe->changes, SlChange, recipe->changes->len - 1).step)
    return sl_fail (error, SL_EFORMAT, "changes", _ ("a step before that of the change above"),
                    _ ("rising steps"));
  change.param = (unsigned) param;
  if (!read_value (sl_json_member (object, "value"), &recipe->lab->params[param], &change.value,
                   error))
    return FALSE;
  if (change.value.n == 1)
    repeat_value (recipe, &change);
  g_array_append_val (recipe->changes, change);
  return TRUE;
}

static gboolean
read_members (const SlJson *object, SlRecipe *recipe, GError **error)
{
  char          lab[64];
  uint64_t      threads;
  const SlJson *changes = sl_json_member (object, "changes");
  SlStatus      version = sl_json_version (object, "sluice-recipe", "recipe");

  if (!sl_status_good (&version, error) || !read_text (object, "lab", lab, sizeof lab, error))
    return FALSE;
  recipe->lab = sl_lab_find (lab);
  if (recipe->lab == NULL)
    return sl_fail (error, SL_EUNSUPPORTED, "lab", lab, _ ("a lab of this version"));
  if (!read_settings (object, recipe, error)
      || !read_text (object, "data", recipe->data, sizeof recipe->data, error)
      || !read_bits (object, "data-hash", 16, &recipe->data_hash, error)
      || !read_bits (object, "seed", 10, &recipe->seed, error)
      || !read_count (object, "step", &recipe->step, error)
      || !read_text (object, "kernel", recipe->kernel, sizeof recipe->kernel, error)
      || !read_count (object, "threads", &threads, error)
      || !read_text (object, "version", recipe->version, sizeof recipe->version, error))
    return FALSE;
  recipe->threads = (unsigned) threads;
  if (changes == NULL || changes->kind != SL_JSON_ARRAY)
    return refuse_kind (changes, "changes", _ ("an array"), error);
  for (const SlJson *change = changes->first; change != NULL; change = change->next)
    if (!read_change (change, recipe, error))
      return FALSE;
  return TRUE;
}

gboolean
sl_recipe_read_json (const SlJson *object, SlRecipe *recipe, GError **error)
{
  *recipe = (SlRecipe) { .changes = g_array_new (FALSE, FALSE, sizeof (SlChange)) };
  if (read_members (object, recipe, error))
    return TRUE;
  sl_recipe_clear (recipe);
  return FALSE;
}

gboolean
sl_recipe_read (const char *text, SlRecipe *recipe, GError **error)
{
  g_autoptr (SlJson) json
    = sl_json_parse_object (text, strlen (text), SL_RECIPE_BYTES, "recipe", error);

  return json != NULL && sl_recipe_read_json (json, recipe, error);
}
