/* SPDX-License-Identifier: MIT
 *
 * JSON documents of runs, read back.  The channels say which trace of the lab they are, so
 * that no settings are needed to number them again.  */
#include "core/run/files/table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/run/base/error.h"
#include "core/run/record/recipe-json.h"

static const char *
member_text (JsonObject *object, const char *key)
{
  JsonNode *node = json_object_get_member (object, key);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
             && json_node_get_value_type (node) == G_TYPE_STRING
           ? json_node_get_string (node)
           : "";
}

static double
node_number (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_double (node) : (double) NAN;
}

static double
member_number (JsonObject *object, const char *key)
{
  return node_number (json_object_get_member (object, key));
}

/* A count in [0, most]; FALSE for anything else. */
static gboolean
member_count (JsonObject *object, const char *key, double most, unsigned *count)
{
  double number = member_number (object, key);

  if (!(number >= 0.0 && number <= most && number == floor (number)))
    return FALSE;
  *count = (unsigned) number;
  return TRUE;
}

/* The array member of objects or numbers; NULL with a sentence when it is none. */
static JsonArray *
member_array (JsonObject *object, const char *key, GError **error)
{
  JsonNode *node = json_object_get_member (object, key);

  if (node != NULL && JSON_NODE_HOLDS_ARRAY (node))
    return json_node_get_array (node);
  sl_fail (error, SL_EFORMAT, key, "no array", "an array");
  return NULL;
}

static JsonObject *
element_object (JsonArray *array, guint i, const char *key, GError **error)
{
  JsonNode *node = json_array_get_element (array, i);

  if (JSON_NODE_HOLDS_OBJECT (node))
    return json_node_get_object (node);
  sl_fail (error, SL_EFORMAT, key, "an element that is no object", "objects");
  return NULL;
}

/* Numbers the channel in the layout of `record`. */
static gboolean
read_channel (JsonObject *object, SlRecord *record, GError **error)
{
  SlLayout      *layout = &record->layout;
  SlChannel     *channel = &layout->channel[layout->n];
  const char    *id = member_text (object, "id");
  int            panel = sl_lab_panel (record->lab, member_text (object, "panel"));
  const SlPanel *what = panel >= 0 ? &record->lab->panels[panel] : NULL;
  unsigned       trace = 0, instance;

  while (what != NULL && trace < what->n_traces
         && strcmp (what->traces[trace].id, member_text (object, "trace")) != 0)
    trace++;
  if (what == NULL || trace == what->n_traces
      || !member_count (object, "instance", SL_CHANNELS_MAX, &instance))
    return sl_fail (error, SL_EFORMAT, id, "a channel that this lab does not have",
                    record->lab->title);
  *channel = (SlChannel) { .panel = (uint16_t) panel,
                           .trace = (uint16_t) trace,
                           .instance = (uint16_t) instance,
                           .series = sl_panel_is_series (what->kind) };
  snprintf (channel->id, sizeof channel->id, "%s", id);
  snprintf (channel->title, sizeof channel->title, "%s", member_text (object, "title"));
  if (instance == 0)
    layout->first[panel][trace] = (uint16_t) layout->n;
  layout->n++;
  return TRUE;
}

static gboolean
read_series (JsonObject *object, SlSeries *series, const char *id, GError **error)
{
  JsonArray *steps = member_array (object, "step", error), *values;
  double     before = -HUGE_VAL;

  values = steps != NULL ? member_array (object, "value", error) : NULL;
  if (values == NULL)
    return FALSE;
  if (json_array_get_length (steps) != json_array_get_length (values))
    return sl_fail (error, SL_EFORMAT, id, "steps and values of different number",
                    "one value per step");
  for (guint i = 0; i < json_array_get_length (steps); i++)
    {
      double step = node_number (json_array_get_element (steps, i));

      if (!(step >= before && step < HUGE_VAL))
        return sl_fail (error, SL_EFORMAT, id, "a step that does not follow the one before",
                        "rising steps");
      if (!sl_series_append (series, step, node_number (json_array_get_element (values, i))))
        return sl_fail (error, SL_ENOMEM, id, NULL, NULL);
      before = step;
    }
  return TRUE;
}

static gboolean
read_channels (JsonObject *root, SlRecord *record, GError **error)
{
  JsonArray   *array = member_array (root, "channels", error);
  guint        n = array != NULL ? json_array_get_length (array) : 0;
  JsonObject  *object;
  SlSettings   none = { 0 };
  const SlLab *lab = record->lab;
  SlStatus     status;

  if (array == NULL)
    return FALSE;
  if (n > SL_CHANNELS_MAX)
    return sl_fail (error, SL_EFORMAT, "channels", "too many", NULL);

  /* Lists of no elements give no channels; the document's own take their place. */
  status = sl_record_init (record, lab, &none, 0);
  if (!sl_ok (&status))
    {
      g_propagate_error (error, sl_status_to_error (&status));
      return FALSE;
    }
  free (record->series);
  record->series = calloc (n + 1, sizeof *record->series);
  record->layout = (SlLayout) { 0 };
  if (record->series == NULL)
    return sl_fail (error, SL_ENOMEM, "channels", NULL, NULL);
  for (guint i = 0; i < n; i++)
    {
      object = element_object (array, i, "channels", error);
      if (object == NULL || !read_channel (object, record, error))
        return FALSE;
      if (record->layout.channel[i].series
          && !read_series (object, &record->series[i], record->layout.channel[i].id, error))
        return FALSE;
    }
  return TRUE;
}

/* Copies an array of numbers, which must have `n` elements. */
static gboolean
read_numbers (JsonObject *object, const char *key, double *to, guint n, GError **error)
{
  JsonArray *array = member_array (object, key, error);

  if (array == NULL)
    return FALSE;
  if (json_array_get_length (array) != n)
    return sl_fail (error, SL_EFORMAT, key, "an array of another length", NULL);
  for (guint i = 0; i < n; i++)
    to[i] = node_number (json_array_get_element (array, i));
  return TRUE;
}

static gboolean
read_curve (JsonObject *object, const SlLayout *layout, SlSnapshot *snapshot, GError **error)
{
  int        channel = sl_layout_find (layout, member_text (object, "channel"));
  JsonArray *xs = member_array (object, "x", error);
  gboolean   spread = json_object_has_member (object, "spread");
  guint      n = xs != NULL ? json_array_get_length (xs) : 0;
  double    *x;

  if (xs == NULL)
    return FALSE;
  if (channel < 0)
    return sl_fail (error, SL_EFORMAT, "curves", "a channel that is not listed", NULL);
  x = sl_snapshot_curve (snapshot, (uint32_t) channel, n, spread);
  if (x == NULL)
    return sl_fail (error, SL_ENOMEM, "curves", NULL, NULL);
  return read_numbers (object, "x", x, n, error) && read_numbers (object, "y", x + n, n, error)
         && (!spread || read_numbers (object, "spread", x + 2 * n, n, error));
}

/* The names of columns or nodes and the rectangle of a plane, both optional. */
static gboolean
read_places (JsonObject *object, SlSnapshot *snapshot, GError **error)
{
  JsonArray *names = NULL;
  gsize      used = 0;
  double     plane[4];

  if (json_object_has_member (object, "plane"))
    {
      if (!read_numbers (object, "plane", plane, 4, error))
        return FALSE;
      snapshot->left = plane[0];
      snapshot->right = plane[1];
      snapshot->bottom = plane[2];
      snapshot->top = plane[3];
    }
  if (!json_object_has_member (object, "names"))
    return TRUE;
  names = member_array (object, "names", error);
  if (names == NULL)
    return FALSE;
  for (guint i = 0; i < json_array_get_length (names); i++)
    {
      JsonNode   *node = json_array_get_element (names, i);
      const char *name;

      if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
        return sl_fail (error, SL_EFORMAT, "names", "an element that is no text", "texts");
      name = json_node_get_string (node);
      if (strchr (name, '\n') != NULL || used + strlen (name) + 2 > sizeof snapshot->names)
        return sl_fail (error, SL_EFORMAT, "names", "a text of several lines or too many of them",
                        NULL);
      used
        += (gsize) g_snprintf (snapshot->names + used, sizeof snapshot->names - used, "%s\n", name);
    }
  return TRUE;
}

static gboolean
read_matrix (JsonObject *object, SlSnapshot *snapshot, GError **error)
{
  unsigned   tiles, rows, columns, depth = 1;
  JsonArray *values;
  double    *to;

  if (!json_object_has_member (object, "tiles"))
    return TRUE;
  values = member_array (object, "values", error);
  if (values == NULL)
    return FALSE;
  if (!member_count (object, "tiles", 1e6, &tiles) || !member_count (object, "rows", 1e6, &rows)
      || !member_count (object, "columns", 1e6, &columns)
      || (json_object_has_member (object, "depth") && !member_count (object, "depth", 3, &depth))
      || (depth != 1 && depth != 3)
      || (double) tiles * depth * rows * columns != json_array_get_length (values))
    return sl_fail (error, SL_EFORMAT, "values", "an array of another length",
                    "tiles times rows times columns, three times in colour");
  to = depth == 3 ? sl_snapshot_pictures (snapshot, tiles, rows, columns)
                  : sl_snapshot_matrix (snapshot, tiles, rows, columns);
  if (to == NULL)
    return sl_fail (error, SL_ENOMEM, "values", NULL, NULL);
  snapshot->lo = member_number (object, "lo");
  snapshot->hi = member_number (object, "hi");
  return read_places (object, snapshot, error)
         && read_numbers (object, "values", to, json_array_get_length (values), error);
}

static gboolean
read_snapshot (JsonObject *object, SlRecord *record, GError **error)
{
  int         panel = sl_lab_panel (record->lab, member_text (object, "panel"));
  double      step = member_number (object, "step");
  JsonArray  *curves = member_array (object, "curves", error);
  SlSnapshot *snapshot;

  if (curves == NULL)
    return FALSE;
  if (panel < 0 || !(step >= 0.0 && step < 0x1p63))
    return sl_fail (error, SL_EFORMAT, "snapshots", "an unknown panel or step", record->lab->title);
  snapshot = &record->snapshot[panel];
  sl_snapshot_reset (snapshot);
  snapshot->panel = (unsigned) panel;
  snapshot->step = (uint64_t) step;
  snapshot->mark = member_number (object, "mark");
  snprintf (snapshot->note, sizeof snapshot->note, "%s", member_text (object, "note"));
  record->has_snapshot[panel] = true;
  record->snapshot_version[panel]++;
  if (!read_matrix (object, snapshot, error))
    return FALSE;
  for (guint i = 0; i < json_array_get_length (curves); i++)
    {
      JsonObject *curve = element_object (curves, i, "curves", error);

      if (curve == NULL || !read_curve (curve, &record->layout, snapshot, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_flag (JsonObject *object, SlRecord *record, GError **error)
{
  if (!(member_number (object, "step") >= 0.0))
    return sl_fail (error, SL_EFORMAT, "flags", "a flag without a step", NULL);
  if (sl_record_mark (record, member_number (object, "step"), member_text (object, "text")))
    return TRUE;
  return sl_fail (error, SL_ENOMEM, "flags", NULL, NULL);
}

typedef gboolean (*ReadElement) (JsonObject *, SlRecord *, GError **);

static gboolean
read_each (JsonObject *root, const char *key, ReadElement read, SlRecord *record, GError **error)
{
  JsonArray *array = member_array (root, key, error);

  if (array == NULL)
    return FALSE;
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      JsonObject *object = element_object (array, i, key, error);

      if (object == NULL || !read (object, record, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_recipe (JsonObject *root, char **text, GError **error)
{
  JsonNode *node = json_object_get_member (root, "recipe");
  SlRecipe  recipe;

  *text = NULL;
  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return TRUE;
  if (!sl_recipe_read_object (json_node_get_object (node), &recipe, error))
    return FALSE;
  *text = sl_recipe_write (&recipe);
  sl_recipe_clear (&recipe);
  return TRUE;
}

static gboolean
read_root (JsonObject *root, SlRecord *record, char **recipe, GError **error)
{
  char *text;

  if (!json_object_has_member (root, "sluice-run"))
    return sl_fail (error, SL_EFORMAT, "run", "no member \"sluice-run\"", "an exported run");
  record->lab = sl_lab_find (member_text (root, "lab"));
  if (record->lab == NULL)
    return sl_fail (error, SL_EUNSUPPORTED, "lab", member_text (root, "lab"),
                    "a lab of this version");
  if (!read_channels (root, record, error)
      || !read_each (root, "snapshots", read_snapshot, record, error)
      || !read_each (root, "flags", read_flag, record, error) || !read_recipe (root, &text, error))
    return FALSE;
  if (recipe != NULL)
    *recipe = text;
  else
    g_free (text);
  return TRUE;
}

gboolean
sl_table_read_json (const char *text, SlRecord *record, char **recipe, GError **error)
{
  JsonObject *root;
  JsonParser *parser = sl_json_parse (text, -1, "run", &root, error);
  gboolean    good;

  *record = (SlRecord) { 0 };
  if (parser == NULL)
    return FALSE;
  good = read_root (root, record, recipe, error);
  if (!good)
    sl_record_clear (record);
  g_object_unref (parser);
  return good;
}
