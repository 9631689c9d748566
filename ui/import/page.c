/* SPDX-License-Identifier: MIT */
#include "ui/import/page.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/background.h"
#include "ui/import/rows.h"
#include "ui/kit/widget.h"

enum { LATER_MS = 300 };

struct _SlImportPage
{
  AdwWindow parent_instance;

  GtkWidget  *open, *python;
  GtkSpinner *spinner;
  GtkLabel   *said, *more, *line;
  GtkBox     *ways, *preview;
  GtkListBox *rows;

  SlImport     *look;    /* the last one; NULL: none yet */
  GHashTable   *options; /* as they are chosen now */
  GCancellable *looking; /* of the look in progress, or NULL */
  GPtrArray    *row;     /* of the options, borrowed from the list */
  GtkWidget    *seldom;  /* the row with those that are asked seldom, or NULL */
  char         *built;   /* what the rows were made for */
  guint         later;   /* timeout of the next look */
};

G_DEFINE_FINAL_TYPE (SlImportPage, sl_import_page, ADW_TYPE_WINDOW)

/* ---- looking ---- */

typedef struct
{
  char     *spec;
  SlImport *look;
} Looking;

static void
free_looking (gpointer data)
{
  Looking *looking = data;

  g_clear_pointer (&looking->look, sl_import_free);
  g_free (looking->spec);
  g_free (looking);
}

static gboolean
look (gpointer data, GError **error)
{
  Looking *looking = data;

  looking->look = sl_import_look (looking->spec);
  return TRUE;
}

static void show_look (SlImportPage *self, SlImport *look);

static void
on_looked (gpointer owner, gpointer data, const GError *error)
{
  SlImportPage *self = owner;
  Looking      *looking = data;

  g_clear_object (&self->looking);
  show_look (self, g_steal_pointer (&looking->look));
}

/* An answer that is under way is of no use any more. */
static void
forget_look (SlImportPage *self)
{
  g_clear_handle_id (&self->later, g_source_remove);
  if (self->looking != NULL)
    g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
}

static void
begin_look (SlImportPage *self, const char *spec)
{
  Looking *looking = g_new0 (Looking, 1);

  forget_look (self);
  looking->spec = g_strdup (spec);
  self->looking = g_cancellable_new ();
  gtk_spinner_start (self->spinner);
  sl_background_run (look, on_looked, self, self->looking, looking, free_looking);
}

static char *
spec_of (SlImportPage *self)
{
  return sl_import_spec (self->look->path, self->options, self->look->likely);
}

static void
on_due (SlImportPage *self)
{
  g_autofree char *spec = spec_of (self);

  self->later = 0;
  begin_look (self, spec);
}

/* ---- choices ---- */

static void
on_chosen (gpointer owner, const char *id, const char *value)
{
  SlImportPage *self = owner;

  if (*value == '\0')
    g_hash_table_remove (self->options, id);
  else
    g_hash_table_insert (self->options, g_strdup (id), g_strdup (value));
  forget_look (self);
  gtk_widget_set_sensitive (self->open, FALSE);
  gtk_spinner_start (self->spinner);
  self->later = g_timeout_add_once (LATER_MS, (GSourceOnceFunc) on_due, self);
}

static GtkWidget *
row_of (SlImportPage *self, const char *id)
{
  for (guint i = 0; i < self->row->len; i++)
    if (g_str_equal (gtk_widget_get_name (g_ptr_array_index (self->row, i)), id))
      return g_ptr_array_index (self->row, i);
  return NULL;
}

/* What the rows depend on. */
static char *
dup_key (const SlImport *import)
{
  GString *key = g_string_new (NULL);

  unsigned often;

  for (const char *const *id = sl_import_asked (import, &often); *id != NULL; id++)
    {
      g_autoptr (GPtrArray) values = sl_import_values (import, *id);

      g_string_append_printf (key, "\n%s", *id);
      for (guint i = 0; i < values->len; i++)
        g_string_append_printf (key, "\t%s",
                                ((const SlImportWords *) g_ptr_array_index (values, i))->title);
    }
  return g_string_free (key, FALSE);
}

/* Those that are asked seldom are below a row of their own, which opens where one of them may be what is wrong. */
static void
add_row (SlImportPage *self, const char *id, gboolean often)
{
  const char *value = g_hash_table_lookup (self->options, id);
  GtkWidget  *row = sl_import_row_new (self->look, id, value, on_chosen, self);

  g_ptr_array_add (self->row, row);
  if (often)
    {
      gtk_list_box_append (self->rows, row);
      return;
    }
  if (self->seldom == NULL)
    {
      self->seldom = adw_expander_row_new ();
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->seldom), _ ("More options"));
      gtk_list_box_append (self->rows, self->seldom);
    }
  adw_expander_row_add_row (ADW_EXPANDER_ROW (self->seldom), row);
  if (value != NULL || (!sl_ok (&self->look->status) && self->look->status.n_advice == 0))
    adw_expander_row_set_expanded (ADW_EXPANDER_ROW (self->seldom), TRUE);
}

static void
make_rows (SlImportPage *self)
{
  unsigned           often;
  const char *const *asked = sl_import_asked (self->look, &often);
  GtkWidget         *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->rows))) != NULL)
    gtk_list_box_remove (self->rows, row);
  g_ptr_array_set_size (self->row, 0);
  self->seldom = NULL;
  for (unsigned i = 0; asked[i] != NULL; i++)
    add_row (self, asked[i], i < often);
  sl_widget_name_inner (GTK_WIDGET (self->rows));
  gtk_widget_set_visible (GTK_WIDGET (self->rows), self->row->len > 0);
}

/* The option with the focus, or NULL. */
static char *
dup_focused (SlImportPage *self)
{
  for (GtkWidget *at = gtk_window_get_focus (GTK_WINDOW (self)); at != NULL;
       at = gtk_widget_get_parent (at))
    if (g_ptr_array_find (self->row, at, NULL))
      return g_strdup (gtk_widget_get_name (at));
  return NULL;
}

/* Rows stay, with the focus, while the file has the same options. */
static void
show_rows (SlImportPage *self)
{
  g_autofree char *key = dup_key (self->look), *focused = dup_focused (self);

  if (g_strcmp0 (key, self->built) == 0)
    {
      for (guint i = 0; i < self->row->len; i++)
        {
          GtkWidget *row = g_ptr_array_index (self->row, i);

          sl_import_row_show (row, g_hash_table_lookup (self->options, gtk_widget_get_name (row)));
        }
      return;
    }
  make_rows (self);
  if (focused != NULL && row_of (self, focused) != NULL)
    gtk_widget_grab_focus (row_of (self, focused));
  g_free (self->built);
  self->built = g_steal_pointer (&key);
}

/* ---- the question ---- */

#define WAY "sl-way" /* set on a button: the words, of the look */

static void
on_way (GtkWidget *button, SlImportPage *self)
{
  const SlImportWords *way = g_object_get_data (G_OBJECT (button), WAY);
  GtkWidget           *row = row_of (self, way->id);

  if (row != NULL)
    sl_import_row_show (row, way->title);
  on_chosen (self, way->id, way->title);
}

/* "Class: column 1" */
static GtkWidget *
make_way (SlImportPage *self, SlImportWords *way)
{
  GtkWidget       *row = row_of (self, way->id), *button;
  g_autofree char *words
    = row != NULL ? sl_import_row_words (row, way->title) : g_strdup (way->title),
    *label = NULL;
  const char *title, *help;
  double      most;

  sl_import_option (self->look, way->id, &title, &help, &most);
  /* Translators: a way to read a file: "Class: column 3". */
  label = g_strdup_printf (_ ("%s: %s"), title, words);
  button = gtk_button_new_with_label (label);
  gtk_widget_add_css_class (button, "pill");
  gtk_label_set_wrap (GTK_LABEL (gtk_button_get_child (GTK_BUTTON (button))), TRUE);
  g_object_set_data (G_OBJECT (button), WAY, way);
  g_signal_connect (button, "clicked", G_CALLBACK (on_way), self);
  return button;
}

/* A button for each way out of a question, or of a reading that is wrong. */
static void
show_ways (SlImportPage *self)
{
  const GPtrArray *ways = self->look->ways;

  sl_box_clear (self->ways);
  for (guint i = 0; i < ways->len; i++)
    gtk_box_append (self->ways, make_way (self, g_ptr_array_index (ways, i)));
  gtk_widget_set_visible (GTK_WIDGET (self->ways), ways->len > 0);
  if (ways->len > 0 && !sl_ok (&self->look->status))
    gtk_widget_grab_focus (gtk_widget_get_first_child (GTK_WIDGET (self->ways)));
}

static void
show_sentence (SlImportPage *self)
{
  const SlImport  *import = self->look;
  gboolean         good = sl_ok (&import->status);
  g_autofree char *said = g_strdup (import->said), *more = NULL, *needed = NULL;
  char            *notes = said != NULL ? strchr (said, '\n') : NULL;

  if (notes != NULL)
    *notes++ = '\0';
  /* Translators: what was found in a file that cannot be read like this; and what is needed. */
  more = good                     ? g_strdup (notes)
         : import->needed != NULL ? g_strdup_printf (_ ("Needed: %s"), import->needed)
                                  : NULL;
  needed = good ? g_strdup_printf (_ ("Read as %s"), said != NULL ? said : _ ("it is"))
                : g_strdup_printf (_ ("Found: %s"), import->found);
  gtk_label_set_label (self->said, needed);
  gtk_label_set_label (self->more, more != NULL ? more : "");
  gtk_widget_set_visible (GTK_WIDGET (self->more), more != NULL && *more != '\0');
  gtk_label_set_label (self->line, import->line != NULL ? import->line : "");
  gtk_widget_set_visible (self->python, import->line != NULL);
}

/* Takes a look. */
static void
show_look (SlImportPage *self, SlImport *import)
{
  g_autofree char *name = g_filename_display_basename (import->path);
  gboolean         asked = self->look != NULL && !sl_ok (&self->look->status);
  gboolean         good = sl_ok (&import->status);

  if (self->look == NULL)
    self->options = g_hash_table_ref (import->options);
  sl_box_clear (self->ways);
  g_clear_pointer (&self->look, sl_import_free);
  self->look = import;
  gtk_window_set_title (GTK_WINDOW (self), name);
  gtk_spinner_stop (self->spinner);
  show_rows (self);
  show_sentence (self);
  show_ways (self);
  sl_import_preview (self->preview, import);
  gtk_widget_set_sensitive (self->open, good);
  if (good && (asked || gtk_window_get_focus (GTK_WINDOW (self)) == NULL))
    gtk_widget_grab_focus (self->open);
}

static void
on_open (SlImportPage *self)
{
  g_autofree char *spec = spec_of (self);

  g_signal_emit_by_name (self, "open", spec, (guint) self->look->yields);
  gtk_window_close (GTK_WINDOW (self));
}

static void
on_copy (SlImportPage *self)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), self->look->line);
}

/* ---- the object ---- */

static void
sl_import_page_dispose (GObject *object)
{
  SlImportPage *self = SL_IMPORT_PAGE (object);

  forget_look (self);
  sl_widget_dispose (object);
}

static void
sl_import_page_finalize (GObject *object)
{
  SlImportPage *self = SL_IMPORT_PAGE (object);

  g_clear_pointer (&self->look, sl_import_free);
  g_clear_pointer (&self->options, g_hash_table_unref);
  g_ptr_array_unref (self->row);
  g_free (self->built);
  G_OBJECT_CLASS (sl_import_page_parent_class)->finalize (object);
}

static void
sl_import_page_class_init (SlImportPageClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_import_page_dispose;
  G_OBJECT_CLASS (klass)->finalize = sl_import_page_finalize;
  sl_widget_class_set_template (widget, "import/page.ui");
  sl_widget_class_bind_children (
    widget, SL_CHILD (SlImportPage, open), SL_CHILD (SlImportPage, python),
    SL_CHILD (SlImportPage, spinner), SL_CHILD (SlImportPage, said), SL_CHILD (SlImportPage, more),
    SL_CHILD (SlImportPage, line), SL_CHILD (SlImportPage, ways), SL_CHILD (SlImportPage, preview),
    SL_CHILD (SlImportPage, rows), NULL);
  sl_widget_class_bind_callbacks (widget, SL_CALLBACK (on_open), SL_CALLBACK (on_copy), NULL);
  sl_signal_new (SL_TYPE_IMPORT_PAGE, "open", 2, G_TYPE_STRING, G_TYPE_UINT);
}

static void
sl_import_page_init (SlImportPage *self)
{
  self->row = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_window_set_default_widget (GTK_WINDOW (self), self->open);
}

SlImportPage *
sl_import_page_open (GtkWindow *parent, const char *spec, SlImport *import)
{
  SlImportPage *self = g_object_new (SL_TYPE_IMPORT_PAGE, "transient-for", parent, NULL);

  if (import != NULL)
    show_look (self, import);
  else
    begin_look (self, spec);
  gtk_window_present (GTK_WINDOW (self));
  return self;
}
