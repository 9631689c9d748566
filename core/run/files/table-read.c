/* SPDX-License-Identifier: MIT
 *
 * JSON documents of runs, read back.  The channels say which trace of the lab they are, so
 * that no settings are needed to number them again.  */
#include "core/run/files/table.h"

#include <glib/gi18n.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/base/error.h"
#include "core/run/base/language.h"
#include "core/run/record/recipe-json.h"

static const char *
member_text (const SlJson *object, const char *key)
{
  const SlJson *json = sl_json_member_of (object, key, SL_JSON_TEXT);

  return json != NULL ? json->text : "";
}

/* Not-a-number for anything else than a number. */
static double
member_number (const SlJson *object, const char *key)
{
  const SlJson *json = sl_json_member_of (object, key, SL_JSON_NUMBER);

  return json != NULL ? json->number : (double) NAN;
}

/* A count in [0, most]; FALSE for anything else. */
static gboolean
member_count (const SlJson *object, const char *key, double most, unsigned *count)
{
  double number = member_number (object, key);

  if (!(number >= 0.0 && number <= most && number == floor (number)))
    return FALSE;
  *count = (unsigned) number;
  return TRUE;
}

/* The array member of objects or numbers; NULL with a sentence when it is none. */
static const SlJson *
member_array (const SlJson *object, const char *key, GError **error)
{
  const SlJson *json = sl_json_member_of (object, key, SL_JSON_ARRAY);

  if (json == NULL)
    sl_fail (error, SL_EFORMAT, key, _ ("no array"), _ ("an array"));
  return json;
}

static gboolean
is_object (const SlJson *json, const char *key, GError **error)
{
  return json->kind == SL_JSON_OBJECT
         || sl_fail (error, SL_EFORMAT, key, _ ("an element that is no object"), _ ("objects"));
}

/* Numbers the channel in the layout of `record`. */
static gboolean
read_channel (const SlJson *object, SlRecord *record, GError **error)
{
  SlLayout      *layout = &record->layout;
  SlChannel     *channel = &layout->channel[layout->n];
  const char    *id = member_text (object, "id");
  int            panel = sl_lab_panel (record->lab, member_text (object, "panel"));
  const SlPanel *what = panel >= 0 ? &record->lab->panels[panel] : NULL;
  unsigned       trace = 0, instance, from, to;

  while (what != NULL && trace < sl_panel_n_traces (what)
         && strcmp (what->traces[trace].id, member_text (object, "trace")) != 0)
    trace++;
  if (what == NULL || trace == sl_panel_n_traces (what)
      || !member_count (object, "instance", SL_CHANNELS_MAX, &instance))
    return sl_fail (error, SL_EFORMAT, id, _ ("a channel that this lab does not have"),
                    sl_words (record->lab->title));
  from = to = instance + 1;
  if (sl_json_member (object, "to") != NULL
      && !(member_count (object, "to", UINT16_MAX, &to)
           && member_count (object, "from", to, &from)))
    return sl_fail (error, SL_EFORMAT, id, _ ("a range that ends before it begins"),
                    _ ("numbers of elements, rising"));
  *channel = (SlChannel) { .panel = (uint16_t) panel,
                           .trace = (uint16_t) trace,
                           .instance = (uint16_t) instance,
                           .from = (uint16_t) from,
                           .to = (uint16_t) to,
                           .series = sl_panel_is_series (what->kind) };
  snprintf (channel->id, sizeof channel->id, "%s", id);
  if (instance == 0)
    layout->first[panel][trace] = (uint16_t) layout->n;
  layout->n++;
  return TRUE;
}

static gboolean
read_series (const SlJson *object, SlSeries *series, const char *id, GError **error)
{
  const SlJson *steps = member_array (object, "step", error), *values, *value;
  double        before = -HUGE_VAL;

  values = steps != NULL ? member_array (object, "value", error) : NULL;
  if (values == NULL)
    return FALSE;
  if (steps->n != values->n)
    return sl_fail (error, SL_EFORMAT, id, _ ("steps and values of different number"),
                    _ ("one value per step"));
  value = values->first;
  for (const SlJson *step = steps->first; step != NULL; step = step->next, value = value->next)
    {
      if (!(step->number >= before && step->number < HUGE_VAL))
        return sl_fail (error, SL_EFORMAT, id, _ ("a step that does not follow the one before"),
                        _ ("rising steps"));
      if (!sl_series_append (series, step->number, value->number))
        return sl_fail (error, SL_ENOMEM, id, NULL, NULL);
      before = step->number;
    }
  return TRUE;
}

static gboolean
read_channels (const SlJson *root, SlRecord *record, GError **error)
{
  const SlJson *array = member_array (root, "channels", error);
  SlSettings    none = { 0 };
  SlStatus      status;

  if (array == NULL)
    return FALSE;
  if (array->n > SL_CHANNELS_MAX)
    return sl_fail (error, SL_EFORMAT, "channels", _ ("too many"), NULL);

  /* Lists of no elements give no channels; the document's own take their place. */
  status = sl_record_init (record, record->lab, &none, 0);
  if (!sl_status_good (&status, error))
    return FALSE;
  free (record->series);
  record->series = calloc (array->n + 1, sizeof *record->series);
  record->layout = (SlLayout) { 0 };
  if (record->series == NULL)
    return sl_fail (error, SL_ENOMEM, "channels", NULL, NULL);
  for (const SlJson *object = array->first; object != NULL; object = object->next)
    {
      const SlChannel *channel = &record->layout.channel[record->layout.n];
      SlSeries        *series = &record->series[record->layout.n];

      if (!is_object (object, "channels", error) || !read_channel (object, record, error)
          || (channel->series && !read_series (object, series, channel->id, error)))
        return FALSE;
    }
  return TRUE;
}

/* Copies an array of numbers, which must have `n` elements. */
static gboolean
read_numbers (const SlJson *object, const char *key, double *to, size_t n, GError **error)
{
  const SlJson *array = member_array (object, key, error);

  if (array == NULL)
    return FALSE;
  if (array->n != n)
    return sl_fail (error, SL_EFORMAT, key, _ ("an array of another length"), NULL);
  for (const SlJson *number = array->first; number != NULL; number = number->next)
    *to++ = number->kind == SL_JSON_NUMBER ? number->number : (double) NAN;
  return TRUE;
}

static gboolean
read_curve (const SlJson *object, const SlLayout *layout, SlSnapshot *snapshot, GError **error)
{
  int           channel = sl_layout_find (layout, member_text (object, "channel"));
  const SlJson *xs = member_array (object, "x", error);
  gboolean      spread = sl_json_member (object, "spread") != NULL;
  size_t        n = xs != NULL ? xs->n : 0;
  double       *x;

  if (xs == NULL)
    return FALSE;
  if (channel < 0)
    return sl_fail (error, SL_EFORMAT, "curves", _ ("a channel that is not listed"), NULL);
  x = sl_snapshot_curve (snapshot, (uint32_t) channel, n, spread);
  if (x == NULL)
    return sl_fail (error, SL_ENOMEM, "curves", NULL, NULL);
  return read_numbers (object, "x", x, n, error) && read_numbers (object, "y", x + n, n, error)
         && (!spread || read_numbers (object, "spread", x + 2 * n, n, error));
}

/* An optional array of texts as packed names. */
static gboolean
read_names (const SlJson *object, const char *key, char packed[SL_SNAPSHOT_NAMES], GError **error)
{
  const SlJson *names;
  gsize         used = 0;

  if (sl_json_member (object, key) == NULL)
    return TRUE;
  names = member_array (object, key, error);
  if (names == NULL)
    return FALSE;
  for (const SlJson *name = names->first; name != NULL; name = name->next)
    {
      if (name->kind != SL_JSON_TEXT)
        return sl_fail (error, SL_EFORMAT, key, _ ("an element that is no text"), _ ("texts"));
      if (strchr (name->text, '\n') != NULL || used + strlen (name->text) + 2 > SL_SNAPSHOT_NAMES)
        return sl_fail (error, SL_EFORMAT, key, _ ("a text of several lines, or too many"), NULL);
      used += (gsize) g_snprintf (packed + used, SL_SNAPSHOT_NAMES - used, "%s\n", name->text);
    }
  return TRUE;
}

/* The names of columns, rows or nodes and the rectangle of a plane, all optional. */
static gboolean
read_places (const SlJson *object, SlSnapshot *snapshot, GError **error)
{
  double plane[4];

  if (sl_json_member (object, "plane") != NULL)
    {
      if (!read_numbers (object, "plane", plane, 4, error))
        return FALSE;
      snapshot->left = plane[0];
      snapshot->right = plane[1];
      snapshot->bottom = plane[2];
      snapshot->top = plane[3];
    }
  return read_names (object, "names", snapshot->names, error)
         && read_names (object, "row-names", snapshot->row_names, error);
}

static gboolean
read_matrix (const SlJson *object, SlSnapshot *snapshot, GError **error)
{
  unsigned      tiles, rows, columns, depth = 1;
  const SlJson *values;
  double       *to;

  if (sl_json_member (object, "tiles") == NULL)
    return TRUE;
  values = member_array (object, "values", error);
  if (values == NULL)
    return FALSE;
  if (!member_count (object, "tiles", 1e6, &tiles) || !member_count (object, "rows", 1e6, &rows)
      || !member_count (object, "columns", 1e6, &columns)
      || (sl_json_member (object, "depth") != NULL && !member_count (object, "depth", 3, &depth))
      || (depth != 1 && depth != 3) || (double) tiles * depth * rows * columns != values->n)
    return sl_fail (error, SL_EFORMAT, "values", _ ("an array of another length"),
                    _ ("tiles times rows times columns, three times in colour"));
  to = depth == 3 ? sl_snapshot_pictures (snapshot, tiles, rows, columns)
                  : sl_snapshot_matrix (snapshot, tiles, rows, columns);
  if (to == NULL)
    return sl_fail (error, SL_ENOMEM, "values", NULL, NULL);
  snapshot->lo = member_number (object, "lo");
  snapshot->hi = member_number (object, "hi");
  return read_places (object, snapshot, error)
         && read_numbers (object, "values", to, values->n, error);
}

static gboolean
read_snapshot (const SlJson *object, SlRecord *record, GError **error)
{
  int           panel = sl_lab_panel (record->lab, member_text (object, "panel"));
  double        step = member_number (object, "step");
  const SlJson *curves = member_array (object, "curves", error);
  SlSnapshot   *snapshot;

  if (curves == NULL)
    return FALSE;
  if (panel < 0 || !(step >= 0.0 && step < 0x1p63))
    return sl_fail (error, SL_EFORMAT, "snapshots", _ ("an unknown panel or step"),
                    sl_words (record->lab->title));
  snapshot = &record->snapshot[panel];
  sl_snapshot_reset (snapshot);
  snapshot->panel = (unsigned) panel;
  snapshot->step = (uint64_t) step;
  snapshot->mark = member_number (object, "mark");
  snapshot->note = sl_message_word (member_text (object, "note"));
  record->has_snapshot[panel] = true;
  record->snapshot_version[panel]++;
  if (!read_matrix (object, snapshot, error))
    return FALSE;
  for (const SlJson *curve = curves->first; curve != NULL; curve = curve->next)
    if (!is_object (curve, "curves", error)
        || !read_curve (curve, &record->layout, snapshot, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_flag (const SlJson *object, SlRecord *record, GError **error)
{
  if (!(member_number (object, "step") >= 0.0))
    return sl_fail (error, SL_EFORMAT, "flags", _ ("a flag without a step"), NULL);
  if (sl_record_mark (record, member_number (object, "step"), member_text (object, "text")))
    return TRUE;
  return sl_fail (error, SL_ENOMEM, "flags", NULL, NULL);
}

typedef gboolean (*ReadElement) (const SlJson *, SlRecord *, GError **);

static gboolean
read_each (const SlJson *root, const char *key, ReadElement read, SlRecord *record, GError **error)
{
  const SlJson *array = member_array (root, key, error);

  if (array == NULL)
    return FALSE;
  for (const SlJson *object = array->first; object != NULL; object = object->next)
    if (!is_object (object, key, error) || !read (object, record, error))
      return FALSE;
  return TRUE;
}

static gboolean
read_recipe (const SlJson *root, char **text, GError **error)
{
  const SlJson *json = sl_json_member_of (root, "recipe", SL_JSON_OBJECT);
  SlRecipe      recipe;

  *text = NULL;
  if (json == NULL)
    return TRUE;
  if (!sl_recipe_read_json (json, &recipe, error))
    return FALSE;
  *text = sl_recipe_write (&recipe);
  sl_recipe_clear (&recipe);
  return TRUE;
}

static gboolean
read_root (const SlJson *root, SlRecord *record, char **recipe, GError **error)
{
  SlStatus         version = sl_json_version (root, "sluice-run", "run");
  g_autofree char *text = NULL;

  if (!sl_status_good (&version, error))
    return FALSE;
  record->lab = sl_lab_find (member_text (root, "lab"));
  if (record->lab == NULL)
    return sl_fail (error, SL_EUNSUPPORTED, "lab", member_text (root, "lab"),
                    _ ("a lab of this version"));
  if (!read_channels (root, record, error)
      || !read_each (root, "snapshots", read_snapshot, record, error)
      || !read_each (root, "flags", read_flag, record, error) || !read_recipe (root, &text, error))
    return FALSE;
  if (recipe != NULL)
    *recipe = g_steal_pointer (&text);
  return TRUE;
}

gboolean
sl_table_read_json (const char *text, SlRecord *record, char **recipe, GError **error)
{
  g_autoptr (SlJson) json = sl_json_parse_object (text, strlen (text), SL_RUN_BYTES, "run", error);

  *record = (SlRecord) { 0 };
  if (json != NULL && read_root (json, record, recipe, error))
    return TRUE;
  if (record->lab != NULL)
    sl_record_clear (record);
  return FALSE;
}
