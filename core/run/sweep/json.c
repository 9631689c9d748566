/* SPDX-License-Identifier: MIT
 *
 * A sweep as JSON; see sweep.h.  Every value is a text that the command line would take, so there
 * is one reader for both.  */
#include <inttypes.h>

#include "core/run/base/error.h"
#include "core/run/base/number.h"
#include "core/run/record/recipe-json.h"
#include "core/run/sweep/sweep.h"

/* Numbers of newer sweeps than this program's are not understood. */
enum { FORMAT = 1 };

static void
append_settings (GString *json, const SlSweep *sweep)
{
  const SlLab *lab = sweep->lab;
  char         value[512];

  g_string_append (json, "  \"settings\": {");
  for (unsigned p = 0; p < lab->n_params; p++)
    {
      g_string_append_printf (json, "%s\n    \"%s\": ", p > 0 ? "," : "", lab->params[p].id);
      sl_json_string (
        json, sl_param_format (&lab->params[p], &sweep->settings.value[p], value, sizeof value));
    }
  g_string_append (json, "\n  },\n");
}

char *
sl_sweep_write (const SlSweep *sweep)
{
  GString         *json = g_string_new (NULL);
  g_autofree char *seeds = sl_sweep_seeds_text (sweep);

  g_string_append_printf (json, "{\n  \"sluice-sweep\": %d,\n  \"lab\": \"%s\",\n", FORMAT,
                          sweep->lab->id);
  append_settings (json, sweep);
  if (sweep->data != NULL)
    {
      g_string_append (json, "  \"data\": ");
      sl_json_string (json, sweep->data);
      g_string_append (json, ",\n");
    }
  g_string_append (json, "  \"axes\": [");
  for (unsigned a = 0; a < sweep->n_axes; a++)
    {
      g_autofree char *axis = sl_sweep_axis_text (sweep, a);

      g_string_append (json, a > 0 ? ", " : "");
      sl_json_string (json, axis);
    }
  g_string_append_printf (json, "],\n  \"seeds\": \"%s\",\n  \"steps\": %" PRIu64 ",\n", seeds,
                          sweep->budget.steps);
  g_string_append (json, "  \"epochs\": ");
  sl_json_number (json, sweep->budget.epochs);
  g_string_append (json, ",\n  \"seconds\": ");
  sl_json_number (json, sweep->budget.seconds);
  g_string_append (json, "\n}\n");
  return g_string_free (json, FALSE);
}

/* A member that is a text, or NULL. */
static const char *
text_member (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
             && json_node_get_value_type (node) == G_TYPE_STRING
           ? json_node_get_string (node)
           : NULL;
}

/* Reads a number that is there or 0; FALSE when the member is something else. */
static gboolean
number_member (JsonObject *object, const char *name, double *number, GError **error)
{
  JsonNode *node = json_object_get_member (object, name);
  GType     type = node != NULL && JSON_NODE_HOLDS_VALUE (node) ? json_node_get_value_type (node)
                                                                : G_TYPE_INVALID;

  *number = 0;
  if (node == NULL)
    return TRUE;
  if (type != G_TYPE_INT64 && type != G_TYPE_DOUBLE)
    return sl_fail (error, SL_EFORMAT, name, "something else", "a number");
  *number = json_node_get_double (node);
  return (*number >= 0 && *number < 1e15)
         || sl_fail (error, SL_EFORMAT, name, "a number out of range", "0 or more");
}

static gboolean
read_settings (JsonObject *object, SlSweep *sweep, GError **error)
{
  JsonNode   *node = json_object_get_member (object, "settings");
  JsonObject *settings
    = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
  GList   *members;
  gboolean good = TRUE;

  if (settings == NULL)
    return node == NULL || sl_fail (error, SL_EFORMAT, "settings", "something else", "an object");
  members = json_object_get_members (settings);
  for (GList *m = members; m != NULL && good; m = m->next)
    {
      const char *text = text_member (settings, m->data);
      SlStatus    status = text != NULL
                             ? sl_settings_set (&sweep->settings, sweep->lab->params,
                                                sweep->lab->n_params, m->data, text)
                             : sl_status_new (SL_EFORMAT, m->data, "something else", "a text");

      good = sl_ok (&status);
      if (!good)
        g_propagate_error (error, sl_status_to_error (&status));
    }
  g_list_free (members);
  return good;
}

static gboolean
read_axes (JsonObject *object, SlSweep *sweep, GError **error)
{
  JsonNode  *node = json_object_get_member (object, "axes");
  JsonArray *axes;

  if (node == NULL)
    return TRUE;
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return sl_fail (error, SL_EFORMAT, "axes", "something else", "an array");
  axes = json_node_get_array (node);
  for (guint a = 0; a < json_array_get_length (axes); a++)
    {
      JsonNode   *element = json_array_get_element (axes, a);
      const char *text
        = JSON_NODE_HOLDS_VALUE (element) && json_node_get_value_type (element) == G_TYPE_STRING
            ? json_node_get_string (element)
            : NULL;

      if (text == NULL)
        return sl_fail (error, SL_EFORMAT, "axes", "something else", "texts like \"rank=5,10\"");
      if (!sl_sweep_add_axis (sweep, text, error))
        return FALSE;
    }
  return TRUE;
}

static gboolean
read_members (JsonObject *object, SlSweep *sweep, GError **error)
{
  double      steps;
  const char *seeds = text_member (object, "seeds");

  g_free (sweep->data);
  sweep->data = g_strdup (text_member (object, "data"));
  if (!read_settings (object, sweep, error) || !read_axes (object, sweep, error)
      || !number_member (object, "steps", &steps, error)
      || !number_member (object, "epochs", &sweep->budget.epochs, error)
      || !number_member (object, "seconds", &sweep->budget.seconds, error))
    return FALSE;
  sweep->budget.steps = (uint64_t) steps;
  if (seeds == NULL)
    return sl_fail (error, SL_EFORMAT, "seeds", "no text", "for example \"1-5\"");
  return sl_sweep_set_seeds (sweep, seeds, error) && sl_sweep_check (sweep, error);
}

gboolean
sl_sweep_read (const char *json, SlSweep *sweep, GError **error)
{
  JsonObject *object;
  g_autoptr (JsonParser) parser = sl_json_parse (json, -1, "the sweep", &object, error);
  const SlLab *lab;
  const char  *id;
  double       format;

  if (parser == NULL || !number_member (object, "sluice-sweep", &format, error))
    return FALSE;
  if (format != FORMAT)
    return sl_fail (error, SL_EFORMAT, "the sweep",
                    format > FORMAT ? "one of a newer version" : "something else",
                    "\"sluice-sweep\": 1");
  id = text_member (object, "lab");
  lab = id != NULL ? sl_lab_find (id) : NULL;
  if (lab == NULL)
    return sl_fail (error, SL_EINVAL, "lab", id != NULL ? id : "no text", "the id of a lab");
  sl_sweep_init (sweep, lab);
  if (read_members (object, sweep, error))
    return TRUE;
  sl_sweep_clear (sweep);
  return FALSE;
}
