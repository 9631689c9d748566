/* SPDX-License-Identifier: MIT */
#include "ui/form/data-group.h"

#include <glib/gi18n.h>

#include "core/data/source/files.h"
#include "core/run/base/language.h"
#include "ui/kit/widget.h"

struct _SlDataGroup
{
  GtkWidget parent_instance;

  GtkDropDown *sources;
  GtkLabel    *heading, *facts;
  SlParamForm *options;
  GtkBox      *file_rows;
  GtkWidget   *reading;

  GPtrArray      *offered;  /* of SlSource, in the order of the drop-down */
  const SlSource *source;   /* in use, NULL: a file */
  SlDataNeeds     needs;    /* of the lab: what is not that is not offered */
  SlSettings      settings; /* of its options */
  SlSourceFiles   files;
  SlFileRow      *row[SL_SOURCE_FILES_MAX]; /* of its files */
  char           *spec;
  char           *file;     /* its part that is a path, or NULL */
  gboolean        has_file; /* the drop-down has an item for the file in use */
  gboolean        showing;
};

G_DEFINE_FINAL_TYPE (SlDataGroup, sl_data_group, GTK_TYPE_WIDGET)

enum { SPEC_MAX = sizeof ((SlDataset *) NULL)->id, NAME_PART = 13 };

/* The name of a file without its folder, with its middle left out where it is too long for the
 * sidebar.  */
static char *
file_title (const char *path)
{
  g_autofree char *name = g_filename_display_basename (path);
  glong            letters = g_utf8_strlen (name, -1);

  if (letters > 2 * NAME_PART + 1)
    {
      g_autofree char *head = g_utf8_substring (name, 0, NAME_PART);
      g_autofree char *tail = g_utf8_substring (name, letters - NAME_PART, letters);

      return g_strconcat (head, "…", tail, NULL);
    }
  return g_steal_pointer (&name);
}

static void
list_sources (SlDataGroup *self, const char *file)
{
  GtkStringList   *titles = gtk_string_list_new (NULL);
  g_autofree char *name = file != NULL ? file_title (file) : NULL;

  g_ptr_array_set_size (self->offered, 0);
  for (unsigned i = 0; sl_sources[i] != NULL; i++)
    if (sl_data_serves (sl_sources[i]->yields, self->needs)
        && (sl_sources[i]->available == NULL || sl_sources[i]->available ()))
      {
        g_ptr_array_add (self->offered, (gpointer) sl_sources[i]);
        gtk_string_list_append (titles, sl_words (sl_sources[i]->title));
      }
  if (name != NULL)
    gtk_string_list_append (titles, name);
  gtk_string_list_append (titles, _ ("Open file…"));
  gtk_string_list_append (titles, _ ("Open folder…"));
  self->has_file = file != NULL;
  gtk_drop_down_set_model (self->sources, G_LIST_MODEL (titles));
  g_object_unref (titles);
}

static guint
position (SlDataGroup *self)
{
  guint index;

  if (self->source != NULL && g_ptr_array_find (self->offered, self->source, &index))
    return index;
  return self->has_file ? self->offered->len : GTK_INVALID_LIST_POSITION;
}

static void
show_facts (SlDataGroup *self, const SlDataset *dataset, const char *note)
{
  g_autoptr (GString) text = g_string_new (NULL);

  if (dataset == NULL)
    g_string_append (text, _ ("Loading…"));
  else if (dataset->pictures != NULL)
    /* Translators: two pictures, and how large both are. */
    g_string_append_printf (text, _ ("%s and %s, %u × %u pixels"),
                            sl_words (dataset->pictures->content_title),
                            sl_words (dataset->pictures->style_title), dataset->pictures->width,
                            dataset->pictures->height);
  else if (dataset->routing != NULL)
    g_string_append (text, sl_words (dataset->title));
  else
    {
      /* Translators: the name of a data set, and how many examples it has of each kind. */
      g_string_append_printf (text, _ ("%s: %zu to train, %zu to validate, %zu to test; "),
                              sl_words (dataset->title), dataset->n[SL_TRAIN], dataset->n[SL_VALID],
                              dataset->n[SL_TEST]);
      if (dataset->width > 0)
        g_string_append_printf (text, _ ("%u × %u × %u pixels"), dataset->width, dataset->height,
                                dataset->channels);
      else if (!dataset->stream)
        g_string_append_printf (text, ngettext ("%u feature", "%u features", dataset->features),
                                dataset->features);
      if (dataset->stream)
        g_string_append_printf (
          text, ngettext ("letters, %u kind", "letters, %u kinds", dataset->classes),
          dataset->classes);
      else
        g_string_append_printf (text, ngettext (", %u class", ", %u classes", dataset->classes),
                                dataset->classes);
    }
  if (note != NULL)
    g_string_append_printf (text, "\n%s", note);
  gtk_label_set_label (self->facts, text->str);
}

/* A row that a file replaces is greyed while there is a file. */
static void
show_files (SlDataGroup *self)
{
  for (unsigned i = 0; i < SL_SOURCE_FILES_MAX; i++)
    {
      const SlFileOption *option = sl_source_file_option (self->source, i);
      const char         *instead = option != NULL ? option->instead : NULL;
      SlParamRow         *row = instead != NULL ? sl_param_form_row (self->options, instead) : NULL;

      if (self->row[i] != NULL)
        sl_file_row_set_path (self->row[i], self->files.path[i]);
      if (row != NULL)
        gtk_widget_set_sensitive (GTK_WIDGET (row), self->files.path[i][0] == '\0');
    }
  /* A network is opened or dropped on the window, and taken away here. */
  if (self->row[SL_SOURCE_NETWORK] != NULL)
    gtk_widget_set_visible (GTK_WIDGET (self->row[SL_SOURCE_NETWORK]),
                            self->files.path[SL_SOURCE_NETWORK][0] != '\0');
}

static void
choose (SlDataGroup *self)
{
  char spec[SPEC_MAX];

  if (self->source != NULL)
    sl_source_format (self->source, &self->settings, &self->files, spec, sizeof spec);
  else
    sl_source_format_file (self->file, &self->settings, &self->files, spec, sizeof spec);
  g_signal_emit_by_name (self, "chosen", spec);
}

static void
on_file (SlFileRow *row, const char *path, SlDataGroup *self)
{
  SlSourceFiles before = self->files;

  for (unsigned i = 0; i < SL_SOURCE_FILES_MAX; i++)
    if (self->row[i] == row)
      {
        if (g_strlcpy (self->files.path[i], path, SL_SOURCE_PATH_MAX) >= SL_SOURCE_PATH_MAX)
          {
            self->files = before;
            g_signal_emit_by_name (self, "refused", _ ("The path of this file is too long."));
          }
        else
          choose (self);
        return;
      }
}

static void
list_files (SlDataGroup *self)
{
  sl_box_clear (self->file_rows);
  for (unsigned i = 0; i < SL_SOURCE_FILES_MAX; i++)
    {
      const SlFileOption *option = sl_source_file_option (self->source, i);

      /* A word is chosen on the page of the import. */
      self->row[i] = option != NULL && option->patterns != NULL ? sl_file_row_new (option) : NULL;
      if (self->row[i] == NULL)
        continue;
      g_signal_connect (self->row[i], "chosen", G_CALLBACK (on_file), self);
      gtk_box_append (self->file_rows, GTK_WIDGET (self->row[i]));
    }
}

/* The row of the file option for a file of this name, or NULL. */
static SlFileRow *
row_for (SlDataGroup *self, const char *path)
{
  for (unsigned i = 0; self->source != NULL && i < self->source->n_files; i++)
    if (sl_file_row_takes (&self->source->files[i], path))
      return self->row[i];
  return NULL;
}

gboolean
sl_data_group_takes (SlDataGroup *self, const char *path)
{
  g_return_val_if_fail (SL_IS_DATA_GROUP (self), FALSE);
  return row_for (self, path) != NULL;
}

gboolean
sl_data_group_take (SlDataGroup *self, const char *path)
{
  SlFileRow *row;

  g_return_val_if_fail (SL_IS_DATA_GROUP (self), FALSE);
  row = row_for (self, path);
  if (row != NULL)
    on_file (row, path, self);
  return row != NULL;
}

/* The options of what is in use: of a source, or of a file that is split by them. */
static const SlParam *
options_of (SlDataGroup *self, unsigned *n_params)
{
  gboolean is_file = self->file != NULL && g_file_test (self->file, G_FILE_TEST_IS_REGULAR);

  *n_params = self->source != NULL ? self->source->n_params : is_file ? sl_n_file_params : 0;
  return self->source != NULL ? self->source->params : is_file ? sl_file_params : NULL;
}

/* The shares of a file that are used where its options leave them to it, before and after a restart. */
static void
show_shares (SlDataGroup *self, const SlDataset *dataset)
{
  static const char *const shares[] = { "valid", "test" };
  SlSettings               shown = self->settings, usual;

  if (self->source != NULL || sl_param_form_row (self->options, shares[0]) == NULL)
    return;
  sl_settings_default (&usual, sl_file_params, sl_n_file_params);
  sl_source_settle_shares (dataset->stream, &usual);
  sl_source_settle_shares (dataset->stream, &shown);
  for (gsize i = 0; i < G_N_ELEMENTS (shares); i++)
    {
      SlParamRow *row = sl_param_form_row (self->options, shares[i]);
      int         share = sl_param_find (sl_file_params, sl_n_file_params, shares[i]);

      sl_param_row_set_value (row, &shown.value[share]);
      sl_param_row_set_fallback (row, &usual.value[share]);
    }
}

/* Options of files that mean nothing to this one are not shown, nor those that the page of the import asks. */
static void
show_relevant (SlDataGroup *self, const SlDataset *dataset)
{
  static const char *const asked[] = { "transpose", "as",        "axes",    "layers", "missing",
                                       "skip",      "separator", "decimal", "header", NULL };
  static const char *const of_recordings[] = { "experts", "k", "from", "most", "decode", NULL };
  static const char *const of_streams[] = { "seed", "standardise", "pixels", NULL };
  static const char *const of_images[] = { "standardise", "text", NULL };
  static const char *const of_tables[] = { "text", "pixels", NULL };
  gboolean                 read = self->file != NULL
                  || (self->source != NULL && self->source->yields == SL_NEEDS_ROUTING
                      && self->files.path[0][0] != '\0');
  g_autoptr (GStrvBuilder) hidden = g_strv_builder_new ();
  g_auto (GStrv) all = NULL;

  if (self->source == NULL || self->source->n_files > 0)
    g_strv_builder_addv (hidden, (const char **) asked);
  if (self->source != NULL && read)
    g_strv_builder_addv (hidden, (const char **) of_recordings);
  if (self->source == NULL && dataset != NULL)
    g_strv_builder_addv (hidden, (const char **) (dataset->stream      ? of_streams
                                                  : dataset->width > 0 ? of_images
                                                                       : of_tables));
  all = g_strv_builder_end (hidden);
  sl_param_form_set_rules (self->options, NULL, (const char *const *) all, NULL);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->reading), "s", self->spec);
  gtk_widget_set_visible (self->reading, read);
}

static void
show_source (SlDataGroup *self, const char *spec)
{
  const SlSource  *source = NULL;
  SlSettings       settings = { 0 };
  SlStatus         status = sl_source_parse (spec, &source, &settings, &self->files);
  g_autofree char *file = NULL;
  const SlParam   *params;
  unsigned         n_params;
  gboolean         other;

  if (!sl_ok (&status))
    source = NULL;
  if (source == NULL)
    {
      file = g_strdup (spec);
      sl_source_cut_options (file);
    }
  other = self->spec == NULL || source != self->source || g_strcmp0 (file, self->file) != 0;
  g_free (self->file);
  self->file = g_steal_pointer (&file);
  g_free (self->spec);
  self->spec = g_strdup (spec);
  self->settings = settings;
  self->source = source;
  params = options_of (self, &n_params);
  if (other)
    {
      list_sources (self, self->file);
      sl_param_form_build (self->options, params, n_params, &self->settings);
      list_files (self);
    }
  else
    sl_param_form_show (self->options, &self->settings);
  show_files (self);
  gtk_widget_set_visible (GTK_WIDGET (self->options), n_params > 0);
  gtk_widget_set_visible (GTK_WIDGET (self->file_rows), (source != NULL && source->n_files > 0)
                                                          || sl_source_has_files (&self->files));
  gtk_drop_down_set_selected (self->sources, position (self));
}

void
sl_data_group_set_needs (SlDataGroup *self, SlDataNeeds needs)
{
  g_return_if_fail (SL_IS_DATA_GROUP (self));
  if (needs == self->needs)
    return;
  self->needs = needs;
  /* The next call shows the sources that are left. */
  g_clear_pointer (&self->spec, g_free);
}

void
sl_data_group_show (SlDataGroup *self, const char *spec, const SlDataset *dataset, const char *note)
{
  g_return_if_fail (SL_IS_DATA_GROUP (self));

  GtkWidget *of_data[]
    = { GTK_WIDGET (self->heading), GTK_WIDGET (self->sources), GTK_WIDGET (self->facts) };

  self->showing = TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS (of_data); i++)
    gtk_widget_set_visible (of_data[i], spec != NULL);
  if (spec == NULL)
    {
      gtk_widget_set_visible (GTK_WIDGET (self->options), FALSE);
      gtk_widget_set_visible (GTK_WIDGET (self->file_rows), FALSE);
      gtk_widget_set_visible (self->reading, FALSE);
    }
  else
    {
      show_source (self, spec);
      if (dataset != NULL)
        show_shares (self, dataset);
      show_relevant (self, dataset);
      show_facts (self, dataset, note);
    }
  self->showing = FALSE;
}

static void
on_source (SlDataGroup *self)
{
  guint selected = gtk_drop_down_get_selected (self->sources);
  guint current = position (self);
  guint last = g_list_model_get_n_items (gtk_drop_down_get_model (self->sources)) - 1;

  if (self->showing || selected == current || selected == GTK_INVALID_LIST_POSITION)
    return;
  if (selected < self->offered->len)
    {
      const SlSource *source = g_ptr_array_index (self->offered, selected);

      g_signal_emit_by_name (self, "chosen", source->id);
      return;
    }
  /* The last two items are no sources: the choice stays as it was while the dialog is up. */
  self->showing = TRUE;
  gtk_drop_down_set_selected (self->sources, current);
  self->showing = FALSE;
  gtk_widget_activate_action (GTK_WIDGET (self),
                              selected == last ? "win.choose-folder" : "win.open", NULL);
}

static void
on_option (SlDataGroup *self, const char *id, SlValue *value, gboolean final)
{
  unsigned       n_params;
  const SlParam *params = options_of (self, &n_params);
  int            i = params != NULL ? sl_param_find (params, n_params, id) : -1;

  if (i < 0)
    return;
  self->settings.value[i] = *value;
  if (final)
    choose (self);
}

static void
on_refused (SlDataGroup *self, const char *sentence)
{
  g_signal_emit_by_name (self, "refused", sentence);
}

static void
sl_data_group_finalize (GObject *object)
{
  SlDataGroup *self = SL_DATA_GROUP (object);

  g_ptr_array_unref (self->offered);
  g_free (self->spec);
  g_free (self->file);
  G_OBJECT_CLASS (sl_data_group_parent_class)->finalize (object);
}

static void
sl_data_group_class_init (SlDataGroupClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = sl_data_group_finalize;
  g_type_ensure (SL_TYPE_PARAM_FORM);
  sl_widget_class_set_template (widget, "form/data-group.ui");
  sl_widget_class_bind_children (widget, SL_CHILD (SlDataGroup, sources),
                                 SL_CHILD (SlDataGroup, heading), SL_CHILD (SlDataGroup, facts),
                                 SL_CHILD (SlDataGroup, options), SL_CHILD (SlDataGroup, file_rows),
                                 SL_CHILD (SlDataGroup, reading), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_source), SL_CALLBACK (on_option),
                                  SL_CALLBACK (on_refused), NULL);
  sl_signal_new (SL_TYPE_DATA_GROUP, "chosen", 1, G_TYPE_STRING);
  sl_signal_new (SL_TYPE_DATA_GROUP, "refused", 1, G_TYPE_STRING);
}

static void
sl_data_group_init (SlDataGroup *self)
{
  self->offered = g_ptr_array_new ();
  self->showing = TRUE;
  gtk_widget_init_template (GTK_WIDGET (self));
  sl_widget_name_inner (GTK_WIDGET (self));
  self->showing = FALSE;
}
