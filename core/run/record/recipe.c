/* SPDX-License-Identifier: MIT
 *
 * Recipes as JSON.  Settings are written as JSON numbers, names, truth values and arrays and
 * read through sl_param_parse(), so that a recipe obeys the same ranges as a command line.  */
#include "core/run/record/recipe.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/nn/kernels/mat.h"
#include "core/run/base/error.h"
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
  *recipe = (SlRecipe) { 0 };
}

SlStatus
sl_recipe_replay (const SlRecipe *recipe, SlTrainer *trainer, unsigned *next)
{
  uint64_t step = sl_trainer_steps (trainer);

  for (; recipe->changes != NULL && *next < recipe->changes->len; (*next)++)
    {
      const SlChange *change = &g_array_index (recipe->changes, SlChange, *next);
      SlStatus        status;

      if (change->step > step)
        break;
      status = sl_trainer_set (trainer, change->param, &change->value);
      if (!sl_ok (&status))
        return status;
    }
  return SL_SUCCESS;
}

static void
write_value (GString *json, const SlParam *param, const SlValue *value)
{
  char text[512];

  switch (param->kind)
    {
    case SL_REAL:
    case SL_INTEGER: sl_json_number (json, value->v[0]); break;
    case SL_BOOLEAN: g_string_append (json, value->v[0] != 0.0 ? "true" : "false"); break;
    case SL_CHOICE: sl_json_string (json, sl_param_format (param, value, text, sizeof text)); break;
    case SL_LIST:
      g_string_append_c (json, '[');
      for (unsigned i = 0; i < value->n; i++)
        {
          if (i > 0)
            g_string_append (json, ", ");
          sl_json_number (json, value->v[i]);
        }
      g_string_append_c (json, ']');
      break;
    }
}

static void
write_text_member (GString *json, const char *key, const char *text)
{
  g_string_append_printf (json, "  \"%s\": ", key);
  sl_json_string (json, text);
  g_string_append (json, ",\n");
}

char *
sl_recipe_write (const SlRecipe *recipe)
{
  GString     *json = g_string_new ("{\n  \"sluice-recipe\": 1,\n");
  const SlLab *lab = recipe->lab;
  char         number[32];

  write_text_member (json, "lab", lab->id);
  g_string_append (json, "  \"settings\": {");
  for (unsigned i = 0; i < lab->n_params; i++)
    {
      g_string_append_printf (json, "%s\n    \"%s\": ", i > 0 ? "," : "", lab->params[i].id);
      write_value (json, &lab->params[i], &recipe->settings.value[i]);
    }
  g_string_append (json, "\n  },\n");
  write_text_member (json, "data", recipe->data);
  /* 64 bits do not fit into the numbers of most JSON readers. */
  snprintf (number, sizeof number, "%016" PRIx64, recipe->data_hash);
  write_text_member (json, "data-hash", number);
  snprintf (number, sizeof number, "%" PRIu64, recipe->seed);
  write_text_member (json, "seed", number);
  g_string_append_printf (json, "  \"step\": %" PRIu64 ",\n", recipe->step);
  write_text_member (json, "kernel", recipe->kernel);
  g_string_append_printf (json, "  \"threads\": %u,\n", recipe->threads);
  write_text_member (json, "version", recipe->version);
  g_string_append (json, "  \"changes\": [");
  for (unsigned i = 0; recipe->changes != NULL && i < recipe->changes->len; i++)
    {
      const SlChange *change = &g_array_index (recipe->changes, SlChange, i);
      const SlParam  *param = &lab->params[change->param];

      g_string_append_printf (
        json, "%s\n    { \"step\": %" PRIu64 ", \"param\": \"%s\", \"value\": ", i > 0 ? "," : "",
        change->step, param->id);
      write_value (json, param, &change->value);
      g_string_append (json, " }");
    }
  g_string_append (json, "\n  ]\n}\n");
  return g_string_free (json, FALSE);
}

/* What a node is, in words for a refusal. */
static const char *
node_text (JsonNode *node)
{
  if (node == NULL)
    return "nothing";
  switch (json_node_get_node_type (node))
    {
    case JSON_NODE_OBJECT: return "an object";
    case JSON_NODE_ARRAY: return "an array";
    case JSON_NODE_NULL: return "null";
    case JSON_NODE_VALUE: break;
    }
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return "a text";
  return json_node_get_value_type (node) == G_TYPE_BOOLEAN ? "true or false" : "a number";
}

static gboolean
is_number (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
         && (json_node_get_value_type (node) == G_TYPE_INT64
             || json_node_get_value_type (node) == G_TYPE_DOUBLE);
}

static const char *
text_of (JsonNode *node)
{
  return node != NULL && JSON_NODE_HOLDS_VALUE (node)
             && json_node_get_value_type (node) == G_TYPE_STRING
           ? json_node_get_string (node)
           : NULL;
}

/* A node as sl_param_parse() wants it; NULL when it is of a kind that no parameter has. */
static char *
value_text (JsonNode *node)
{
  char     number[SL_NUMBER_SIZE];
  GString *list;

  if (is_number (node))
    return g_strdup (sl_number_format (json_node_get_double (node), number));
  if (text_of (node) != NULL)
    return g_strdup (text_of (node));
  if (JSON_NODE_HOLDS_VALUE (node))
    return g_strdup (json_node_get_boolean (node) ? "yes" : "no");
  if (!JSON_NODE_HOLDS_ARRAY (node))
    return NULL;
  list = g_string_new (NULL);
  for (guint i = 0; i < json_array_get_length (json_node_get_array (node)); i++)
    {
      JsonNode *element = json_array_get_element (json_node_get_array (node), i);

      if (!is_number (element))
        {
          g_string_free (list, TRUE);
          return NULL;
        }
      if (i > 0)
        g_string_append_c (list, '-');
      g_string_append (list, sl_number_format (json_node_get_double (element), number));
    }
  return g_string_free (list, FALSE);
}

static gboolean
read_value (JsonNode *node, const SlParam *param, SlValue *value, GError **error)
{
  char    *text = node != NULL ? value_text (node) : NULL;
  SlStatus status;

  if (text == NULL)
    return sl_fail (error, SL_EFORMAT, param->id, node_text (node), "a value");
  status = sl_param_parse (param, text, value);
  g_free (text);
  if (sl_ok (&status))
    return TRUE;
  g_propagate_error (error, sl_status_to_error (&status));
  return FALSE;
}

static gboolean
read_text (JsonObject *object, const char *key, char *to, gsize size, GError **error)
{
  const char *text = text_of (json_object_get_member (object, key));

  if (text == NULL)
    return sl_fail (error, SL_EFORMAT, key, node_text (json_object_get_member (object, key)),
                    "a text");
  if (strlen (text) >= size)
    return sl_fail (error, SL_EFORMAT, key, "a longer text than it can be", NULL);
  snprintf (to, size, "%s", text);
  return TRUE;
}

/* A whole number of 64 bits, written as a text. */
static gboolean
read_bits (JsonObject *object, const char *key, guint base, uint64_t *number, GError **error)
{
  const char *text = text_of (json_object_get_member (object, key));
  guint64     read;

  if (text == NULL || !g_ascii_string_to_unsigned (text, base, 0, G_MAXUINT64, &read, NULL))
    return sl_fail (error, SL_EFORMAT, key,
                    text != NULL ? text : node_text (json_object_get_member (object, key)),
                    base == 16 ? "hexadecimal digits as a text" : "a whole number as a text");
  *number = read;
  return TRUE;
}

static gboolean
read_count (JsonObject *object, const char *key, uint64_t *number, GError **error)
{
  JsonNode *node = json_object_get_member (object, key);

  if (!is_number (node) || json_node_get_value_type (node) != G_TYPE_INT64
      || json_node_get_int (node) < 0)
    return sl_fail (error, SL_EFORMAT, key, node_text (node), "a whole number from 0");
  *number = (uint64_t) json_node_get_int (node);
  return TRUE;
}

static int
find_param (const SlLab *lab, const char *id, GError **error)
{
  int param = id != NULL ? sl_param_find (lab->params, lab->n_params, id) : -1;

  if (param < 0)
    sl_fail (error, SL_EINVAL, id != NULL ? id : "param", "no parameter of this name", lab->title);
  return param;
}

static gboolean
read_settings (JsonObject *object, SlRecipe *recipe, GError **error)
{
  const SlLab *lab = recipe->lab;
  JsonNode    *node = json_object_get_member (object, "settings");
  GList       *keys;
  gboolean     good = TRUE;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    return sl_fail (error, SL_EFORMAT, "settings", node_text (node), "an object");
  sl_settings_default (&recipe->settings, lab->params, lab->n_params);
  keys = json_object_get_members (json_node_get_object (node));
  for (GList *key = keys; key != NULL && good; key = key->next)
    {
      int param = find_param (lab, key->data, error);

      good = param >= 0
             && read_value (json_object_get_member (json_node_get_object (node), key->data),
                            &lab->params[param], &recipe->settings.value[param], error);
    }
  g_list_free (keys);
  sl_settings_settle (&recipe->settings, lab->params, lab->n_params);
  return good;
}

static gboolean
read_change (JsonNode *node, SlRecipe *recipe, GError **error)
{
  JsonObject *object;
  SlChange    change;
  int         param;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return sl_fail (error, SL_EFORMAT, "changes", node_text (node), "an object");
  object = json_node_get_object (node);
  if (!read_count (object, "step", &change.step, error))
    return FALSE;
  param = find_param (recipe->lab, text_of (json_object_get_member (object, "param")), error);
  if (param < 0)
    return FALSE;
  if (recipe->lab->params[param].effect != SL_LIVE)
    return sl_fail (error, SL_EINVAL, recipe->lab->params[param].id,
                    "a change of a fixed parameter", "one that can change while it runs");
  if (recipe->changes->len > 0
      && change.step < g_array_index (recipe->changes, SlChange, recipe->changes->len - 1).step)
    return sl_fail (error, SL_EFORMAT, "changes", "a step before that of the change above",
                    "rising steps");
  change.param = (unsigned) param;
  if (!read_value (json_object_get_member (object, "value"), &recipe->lab->params[param],
                   &change.value, error))
    return FALSE;
  g_array_append_val (recipe->changes, change);
  return TRUE;
}

static gboolean
read_members (JsonObject *object, SlRecipe *recipe, GError **error)
{
  char      lab[64];
  uint64_t  threads;
  JsonNode *changes = json_object_get_member (object, "changes");

  if (!json_object_has_member (object, "sluice-recipe"))
    return sl_fail (error, SL_EFORMAT, "recipe", "no member \"sluice-recipe\"", "a recipe");
  if (!read_text (object, "lab", lab, sizeof lab, error))
    return FALSE;
  recipe->lab = sl_lab_find (lab);
  if (recipe->lab == NULL)
    return sl_fail (error, SL_EUNSUPPORTED, "lab", lab, "a lab of this version");
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
  if (changes == NULL || !JSON_NODE_HOLDS_ARRAY (changes))
    return sl_fail (error, SL_EFORMAT, "changes", node_text (changes), "an array");
  for (guint i = 0; i < json_array_get_length (json_node_get_array (changes)); i++)
    if (!read_change (json_array_get_element (json_node_get_array (changes), i), recipe, error))
      return FALSE;
  return TRUE;
}

gboolean
sl_recipe_read_object (JsonObject *object, SlRecipe *recipe, GError **error)
{
  *recipe = (SlRecipe) { .changes = g_array_new (FALSE, FALSE, sizeof (SlChange)) };
  if (read_members (object, recipe, error))
    return TRUE;
  sl_recipe_clear (recipe);
  return FALSE;
}

JsonParser *
sl_json_parse (const char *text, gssize length, const char *subject, JsonObject **object,
               GError **error)
{
  JsonParser *parser = json_parser_new_immutable ();
  JsonNode   *root;
  GError     *reason = NULL;

  if (!json_parser_load_from_data (parser, text, length, &reason))
    {
      sl_fail (error, SL_EFORMAT, subject, reason->message, "JSON");
      g_error_free (reason);
      g_object_unref (parser);
      return NULL;
    }
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_OBJECT (root))
    {
      sl_fail (error, SL_EFORMAT, subject, node_text (root), "a JSON object");
      g_object_unref (parser);
      return NULL;
    }
  *object = json_node_get_object (root);
  return parser;
}

gboolean
sl_recipe_read (const char *json, SlRecipe *recipe, GError **error)
{
  JsonObject *object;
  JsonParser *parser = sl_json_parse (json, -1, "recipe", &object, error);
  gboolean    good;

  if (parser == NULL)
    return FALSE;
  good = sl_recipe_read_object (object, recipe, error);
  g_object_unref (parser);
  return good;
}
