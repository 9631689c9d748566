/* SPDX-License-Identifier: MIT
 *
 * A sweep as JSON; see sweep.h.  Every value is a text that the command line would take, so there
 * is one reader for both.  */
#include <stdlib.h>
#include <string.h>

#include <glib/gi18n.h>

#include "core/labs/registry.h"
#include "core/run/base/error.h"
#include "core/run/base/json.h"
#include "core/run/sweep/sweep.h"

enum { SL_SWEEP_BYTES = 1 << 20 };

char *
sl_sweep_write (const SlSweep *sweep)
{
  const SlLab     *lab = sweep->lab;
  g_autofree char *seeds = sl_sweep_seeds_text (sweep);
  SlJsonWriter     w;

  sl_json_writer_init (&w);
  sl_json_open (&w, NULL, '{', SL_JSON_LINES);
  sl_json_add_whole (&w, "sluice-sweep", 1);
  sl_json_add_text (&w, "lab", lab->id);
  sl_json_open (&w, "settings", '{', SL_JSON_LINES);
  for (unsigned p = 0; p < lab->n_params; p++)
    {
      char value[512];

      sl_json_add_text (
        &w, lab->params[p].id,
        sl_param_format (&lab->params[p], &sweep->settings.value[p], value, sizeof value));
    }
  sl_json_close (&w);
  if (sweep->data != NULL)
    sl_json_add_text (&w, "data", sweep->data);
  if (sweep->also->len > 0)
    {
      sl_json_open (&w, "data-also", '[', SL_JSON_TIGHT);
      for (guint i = 0; i < sweep->also->len; i++)
        sl_json_add_text (&w, NULL, sweep->also->pdata[i]);
      sl_json_close (&w);
    }
  if (sweep->how != SL_SWEEP_GRID)
    {
      g_autofree char *draw = g_strdup_printf ("%" G_GUINT64_FORMAT, (guint64) sweep->draw);

      sl_json_add_text (&w, "how", sl_sweep_how_id (sweep->how));
      sl_json_add_whole (&w, "points", sweep->points);
      sl_json_add_text (&w, "draw", draw);
    }
  sl_json_open (&w, "axes", '[', SL_JSON_TIGHT);
  for (unsigned a = 0; a < sweep->n_axes; a++)
    {
      g_autofree char *axis = sl_sweep_axis_text (sweep, a);

      sl_json_add_text (&w, NULL, axis);
    }
  sl_json_close (&w);
  sl_json_add_text (&w, "seeds", seeds);
  sl_json_add_whole (&w, "steps", sweep->budget.steps);
  sl_json_add_number (&w, "epochs", sweep->budget.epochs);
  sl_json_add_number (&w, "seconds", sweep->budget.seconds);
  if (sweep->budget.patience > 0)
    sl_json_add_number (&w, "patience", sweep->budget.patience);
  return sl_json_writer_end (&w, TRUE);
}

/* A member that is a text, or NULL. */
static const char *
text_member (const SlJson *object, const char *name)
{
  const SlJson *json = sl_json_member_of (object, name, SL_JSON_TEXT);

  return json != NULL ? json->text : NULL;
}

/* Finds a member that may be missing; FALSE when it is something else than `expected`. */
static gboolean
find_member (const SlJson *object, const char *name, SlJsonKind kind, const char *expected,
             const SlJson **member, GError **error)
{
  *member = sl_json_member (object, name);
  return *member == NULL || (*member)->kind == kind
         || sl_fail (error, SL_EFORMAT, name, _ ("something else"), expected);
}

/* Reads a number that is there or 0. */
static gboolean
number_member (const SlJson *object, const char *name, double *number, GError **error)
{
  const SlJson *json;

  *number = 0;
  if (!find_member (object, name, SL_JSON_NUMBER, _ ("a number"), &json, error))
    return FALSE;
  *number = json != NULL ? json->number : 0;
  return (*number >= 0 && *number < 1e15)
         || sl_fail (error, SL_EFORMAT, name, _ ("a number out of range"), _ ("0 or more"));
}

static gboolean
read_settings (const SlJson *object, SlSweep *sweep, GError **error)
{
  const SlJson *settings;

  if (!find_member (object, "settings", SL_JSON_OBJECT, _ ("an object"), &settings, error))
    return FALSE;
  for (const SlJson *member = settings != NULL ? settings->first : NULL; member != NULL;
       member = member->next)
    {
      if (sl_lab_had (sweep->lab, member->key))
        continue;

      SlStatus status = member->kind == SL_JSON_TEXT
                          ? sl_settings_set (&sweep->settings, sweep->lab->params,
                                             sweep->lab->n_params, member->key, member->text)
                          : sl_status_new (SL_EFORMAT, member->key, sl_message ("something else"),
                                           sl_message ("a text"));

      if (!sl_status_good (&status, error))
        return FALSE;
    }
  return TRUE;
}

/* The texts of an array that may be missing, each with `take`. */
static gboolean
read_texts (const SlJson *object, const char *name, const char *expected, SlSweep *sweep,
            gboolean (*take) (SlSweep *sweep, const char *text, GError **error), GError **error)
{
  const SlJson *array;

  if (!find_member (object, name, SL_JSON_ARRAY, _ ("an array"), &array, error))
    return FALSE;
  for (const SlJson *item = array != NULL ? array->first : NULL; item != NULL; item = item->next)
    {
      if (item->kind != SL_JSON_TEXT)
        return sl_fail (error, SL_EFORMAT, name, _ ("something else"), expected);
      if (!take (sweep, item->text, error))
        return FALSE;
    }
  return TRUE;
}

/* How points are drawn, where they are. */
static gboolean
read_sample (const SlJson *object, SlSweep *sweep, GError **error)
{
  const char *how = text_member (object, "how"), *draw = text_member (object, "draw");
  double      points;
  guint64     seed = 0;

  if (how == NULL)
    return TRUE;
  if (!number_member (object, "points", &points, error))
    return FALSE;
  if (draw == NULL || !g_ascii_string_to_unsigned (draw, 10, 0, G_MAXUINT64, &seed, NULL))
    return sl_fail (error, SL_EFORMAT, "draw", _ ("no text"), _ ("a whole number as text"));
  return sl_sweep_set_sample (sweep, how, (unsigned) MIN (points, 1e6), seed, error);
}

static gboolean
read_members (const SlJson *object, SlSweep *sweep, GError **error)
{
  double      steps;
  const char *seeds = text_member (object, "seeds");

  g_free (sweep->data);
  sweep->data = g_strdup (text_member (object, "data"));
  if (!read_settings (object, sweep, error) || !read_sample (object, sweep, error)
      || !read_texts (object, "axes", _ ("texts like \"rank=5,10\""), sweep, sl_sweep_add_axis,
                      error)
      || !read_texts (object, "data-also", _ ("texts"), sweep, sl_sweep_add_data, error)
      || !number_member (object, "steps", &steps, error)
      || !number_member (object, "epochs", &sweep->budget.epochs, error)
      || !number_member (object, "seconds", &sweep->budget.seconds, error)
      || !number_member (object, "patience", &sweep->budget.patience, error))
    return FALSE;
  sweep->note = sl_json_member (object, "prune") != NULL ? sl_sweep_unpruned : NULL;
  sweep->budget.steps = (uint64_t) steps;
  if (seeds == NULL)
    return sl_fail (error, SL_EFORMAT, "seeds", _ ("no text"), _ ("for example \"1-5\""));
  return sl_sweep_set_seeds (sweep, seeds, error) && sl_sweep_check (sweep, error);
}

gboolean
sl_sweep_read (const char *text, SlSweep *sweep, GError **error)
{
  g_autoptr (SlJson) json
    = sl_json_parse_object (text, strlen (text), SL_SWEEP_BYTES, "the sweep", error);
  const SlLab *lab;
  const char  *id;
  SlStatus     version;

  if (json == NULL)
    return FALSE;
  version = sl_json_version (json, "sluice-sweep", "the sweep");
  if (!sl_status_good (&version, error))
    return FALSE;
  id = text_member (json, "lab");
  lab = id != NULL ? sl_lab_find (id) : NULL;
  if (lab == NULL)
    return sl_fail (error, SL_EINVAL, "lab", id != NULL ? id : _ ("no text"),
                    _ ("the id of a lab"));
  sl_sweep_init (sweep, lab);
  if (read_members (json, sweep, error))
    return TRUE;
  sl_sweep_clear (sweep);
  return FALSE;
}
