/* SPDX-License-Identifier: MIT */
#include "ui/kit/prefs.h"

#define G_SETTINGS_ENABLE_BACKEND
#include <gio/gio.h>
#include <gio/gsettingsbackend.h>
#include <string.h>

#define SCHEMA "org.sluice.Sluice"

enum { N_PROPERTIES = 39 };

struct _SlPrefs
{
  GObject parent_instance;

  GValue     value[N_PROPERTIES]; /* property i is in value[i]; 0 is not used */
  GSettings *settings;            /* NULL without the schema */
  GSettings *personal;            /* of a fresh start, in memory; or NULL */
  char      *folder;              /* private, of a fresh start; or NULL */
};

G_DEFINE_FINAL_TYPE (SlPrefs, sl_prefs, G_TYPE_OBJECT)

static GParamSpec *properties[N_PROPERTIES];

static void
sl_prefs_get_property (GObject *object, guint id, GValue *value, GParamSpec *spec)
{
  g_value_copy (&SL_PREFS (object)->value[id], value);
}

static void
sl_prefs_set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  SlPrefs *self = SL_PREFS (object);

  if (g_param_values_cmp (spec, value, &self->value[id]) == 0)
    return;
  g_value_copy (value, &self->value[id]);
  g_object_notify_by_pspec (object, spec);
}

int
sl_prefs_get_int (SlPrefs *self, const char *name)
{
  int value;

  g_return_val_if_fail (SL_IS_PREFS (self), 0);
  g_object_get (self, name, &value, NULL);
  return value;
}

gboolean
sl_prefs_get_boolean (SlPrefs *self, const char *name)
{
  gboolean value;

  g_return_val_if_fail (SL_IS_PREFS (self), FALSE);
  g_object_get (self, name, &value, NULL);
  return value;
}

double
sl_prefs_get_double (SlPrefs *self, const char *name)
{
  double value;

  g_return_val_if_fail (SL_IS_PREFS (self), 0);
  g_object_get (self, name, &value, NULL);
  return value;
}

char *
sl_prefs_get_string (SlPrefs *self, const char *name)
{
  char *value;

  g_return_val_if_fail (SL_IS_PREFS (self), NULL);
  g_object_get (self, name, &value, NULL);
  return value;
}

/* What a line says of the key, or NULL. */
static const char *
of_key (const char *line, const char *key)
{
  size_t length = strlen (key);

  return strncmp (line, key, length) == 0 && line[length] == ' ' ? line + length + 1 : NULL;
}

const char *
sl_prefs_get_private (SlPrefs *self)
{
  g_return_val_if_fail (SL_IS_PREFS (self), NULL);
  return self->folder;
}

char *
sl_prefs_dup_data (SlPrefs *self, const char *name)
{
  g_return_val_if_fail (SL_IS_PREFS (self), NULL);
  return self->folder != NULL ? g_build_filename (self->folder, name, NULL)
                              : g_build_filename (g_get_user_data_dir (), "sluice", name, NULL);
}

gboolean
sl_prefs_chooses (SlPrefs *self, const char *name)
{
  g_autofree char *ids = sl_prefs_get_string (self, name);

  return sl_prefs_get_boolean (self, "classroom") && g_strcmp0 (ids, SL_PREFS_ALL) != 0;
}

gboolean
sl_prefs_offers (SlPrefs *self, const char *name, const char *id)
{
  g_autofree char *text = sl_prefs_get_string (self, name);
  g_auto (GStrv) ids = g_strsplit (text, " ", -1);

  return !sl_prefs_chooses (self, name) || g_strv_contains ((const char *const *) ids, id);
}

static GStrv
read_lines (SlPrefs *self, const char *name)
{
  g_autofree char *text = sl_prefs_get_string (self, name);

  return g_strsplit (text, "\n", -1);
}

char *
sl_prefs_get_line (SlPrefs *self, const char *name, const char *key)
{
  g_return_val_if_fail (SL_IS_PREFS (self) && key != NULL, NULL);

  g_auto (GStrv) lines = read_lines (self, name);

  for (char **line = lines; *line != NULL; line++)
    if (of_key (*line, key) != NULL)
      return g_strdup (of_key (*line, key));
  return NULL;
}

void
sl_prefs_set_line (SlPrefs *self, const char *name, const char *key, const char *text)
{
  g_return_if_fail (SL_IS_PREFS (self) && key != NULL);

  g_auto (GStrv) lines = read_lines (self, name);
  g_autoptr (GString) all = g_string_new (NULL);

  for (char **line = lines; *line != NULL; line++)
    if (**line != '\0' && of_key (*line, key) == NULL)
      g_string_append_printf (all, "%s\n", *line);
  if (text != NULL)
    g_string_append_printf (all, "%s %s\n", key, text);
  g_object_set (self, name, all->str, NULL);
}

/* For debugging: what is not as the program has it by itself. */
static void
log_changes (SlPrefs *self)
{
  g_debug ("settings: %s", self->settings != NULL ? "of " SCHEMA : "without the schema, not kept");
  for (unsigned i = 1; i < N_PROPERTIES; i++)
    if (!g_param_value_defaults (properties[i], &self->value[i]))
      {
        g_autofree char *value = g_strdup_value_contents (&self->value[i]);

        g_debug ("settings: %s = %s", properties[i]->name, value);
      }
}

/* What a fresh start has as it was at the very first one. */
static gboolean
is_personal (const char *name)
{
  static const char *const names[]
    = { "window-width", "window-height", "window-maximized", "sidebar", "run-filters",
        "glance-seen",  "panels",        "lessons",          NULL };

  return g_strv_contains (names, name);
}

static void
bind (SlPrefs *self, const char *name)
{
  if (self->folder == NULL || g_str_has_prefix (name, "classroom"))
    g_settings_bind (self->settings, name, self, name, G_SETTINGS_BIND_DEFAULT);
  else if (is_personal (name))
    g_settings_bind (self->personal, name, self, name, G_SETTINGS_BIND_DEFAULT);
  else
    g_settings_bind (self->settings, name, self, name,
                     G_SETTINGS_BIND_GET | G_SETTINGS_BIND_GET_NO_CHANGES);
}

/* g_settings_new() ends the program when the schema is not there, so look first. */
static void
open_settings (SlPrefs *self)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  GSettingsSchema       *schema
    = source != NULL ? g_settings_schema_source_lookup (source, SCHEMA, TRUE) : NULL;
  g_autoptr (GSettingsBackend) memory = g_memory_settings_backend_new ();

  if (schema != NULL)
    self->settings = g_settings_new_full (schema, NULL, NULL);
  if (schema != NULL && self->folder != NULL)
    self->personal = g_settings_new_full (schema, memory, NULL);
  for (unsigned i = 1; i < N_PROPERTIES && schema != NULL; i++)
    if (g_settings_schema_has_key (schema, properties[i]->name))
      bind (self, properties[i]->name);
  g_clear_pointer (&schema, g_settings_schema_unref);
  log_changes (self);
}

static void
sl_prefs_finalize (GObject *object)
{
  SlPrefs *self = SL_PREFS (object);

  g_clear_object (&self->settings);
  g_clear_object (&self->personal);
  g_free (self->folder);
  for (unsigned i = 1; i < N_PROPERTIES; i++)
    g_value_unset (&self->value[i]);
  G_OBJECT_CLASS (sl_prefs_parent_class)->finalize (object);
}

static void
sl_prefs_class_init (SlPrefsClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass     *object = G_OBJECT_CLASS (klass);
  unsigned          n = 1;

  object->finalize = sl_prefs_finalize;
  object->get_property = sl_prefs_get_property;
  object->set_property = sl_prefs_set_property;
  properties[n++] = g_param_spec_int ("window-width", NULL, NULL, 1, 32767, 1280, flags);
  properties[n++] = g_param_spec_int ("window-height", NULL, NULL, 1, 32767, 760, flags);
  properties[n++] = g_param_spec_boolean ("window-maximized", NULL, NULL, FALSE, flags);
  properties[n++] = g_param_spec_boolean ("sidebar", NULL, NULL, TRUE, flags);
  properties[n++] = g_param_spec_string ("run-filters", NULL, NULL, "", flags);
  properties[n++] = g_param_spec_string ("colour-scheme", NULL, NULL, "system", flags);
  properties[n++] = g_param_spec_int ("type-size", NULL, NULL, 50, 300, 100, flags);
  properties[n++] = g_param_spec_int ("threads", NULL, NULL, 0, 1024, 0, flags);
  properties[n++] = g_param_spec_double ("redraw-rate", NULL, NULL, 1, 60, 10, flags);
  properties[n++] = g_param_spec_string ("export-format", NULL, NULL, "png", flags);
  properties[n++] = g_param_spec_string ("export-preset", NULL, NULL, "screen", flags);
  properties[n++] = g_param_spec_double ("export-width", NULL, NULL, 20, 1000, 160, flags);
  properties[n++] = g_param_spec_double ("export-height", NULL, NULL, 20, 1000, 90, flags);
  properties[n++] = g_param_spec_double ("export-dpi", NULL, NULL, 36, 1200, 300, flags);
  properties[n++] = g_param_spec_string ("export-theme", NULL, NULL, "light", flags);
  properties[n++] = g_param_spec_string ("export-palette", NULL, NULL, "bright", flags);
  properties[n++] = g_param_spec_string ("export-style", NULL, NULL, "", flags);
  properties[n++] = g_param_spec_double ("export-type", NULL, NULL, 4, 40, 8.6, flags);
  properties[n++] = g_param_spec_double ("export-line", NULL, NULL, 0.2, 8, 1.2, flags);
  properties[n++] = g_param_spec_string ("export-legend", NULL, NULL, "above", flags);
  properties[n++] = g_param_spec_boolean ("export-same-colours", NULL, NULL, FALSE, flags);
  properties[n++] = g_param_spec_boolean ("export-titles", NULL, NULL, TRUE, flags);
  properties[n++] = g_param_spec_boolean ("export-notes", NULL, NULL, TRUE, flags);
  properties[n++] = g_param_spec_boolean ("export-caption", NULL, NULL, TRUE, flags);
  properties[n++] = g_param_spec_boolean ("export-smooth", NULL, NULL, TRUE, flags);
  properties[n++] = g_param_spec_boolean ("export-flags", NULL, NULL, TRUE, flags);
  properties[n++] = g_param_spec_boolean ("export-recipe", NULL, NULL, TRUE, flags);
  properties[n++] = g_param_spec_boolean ("glance-seen", NULL, NULL, FALSE, flags);
  properties[n++] = g_param_spec_boolean ("resume", NULL, NULL, TRUE, flags);
  properties[n++] = g_param_spec_boolean ("labs-go-on", NULL, NULL, TRUE, flags);
  properties[n++] = g_param_spec_boolean ("labs-train-unseen", NULL, NULL, FALSE, flags);
  properties[n++] = g_param_spec_string ("panels", NULL, NULL, "", flags);
  properties[n++] = g_param_spec_string ("lessons", NULL, NULL, "", flags);
  properties[n++] = g_param_spec_int ("keep-runs", NULL, NULL, 1, 100000, 300, flags);
  properties[n++] = g_param_spec_int ("keep-mebibytes", NULL, NULL, 64, 1048576, 256, flags);
  properties[n++] = g_param_spec_boolean ("classroom", NULL, NULL, FALSE, flags);
  properties[n++] = g_param_spec_string ("classroom-lessons", NULL, NULL, SL_PREFS_ALL, flags);
  properties[n++] = g_param_spec_string ("classroom-labs", NULL, NULL, SL_PREFS_ALL, flags);
  g_object_class_install_properties (object, n, properties);
}

static void
sl_prefs_init (SlPrefs *self)
{
  for (unsigned i = 1; i < N_PROPERTIES; i++)
    {
      g_value_init (&self->value[i], properties[i]->value_type);
      g_param_value_set_default (properties[i], &self->value[i]);
    }
}

SlPrefs *
sl_prefs_new (void)
{
  return sl_prefs_new_fresh (NULL);
}

SlPrefs *
sl_prefs_new_fresh (const char *folder)
{
  SlPrefs *self = g_object_new (SL_TYPE_PREFS, NULL);

  self->folder = g_strdup (folder);
  open_settings (self);
  return self;
}
