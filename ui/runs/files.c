/* SPDX-License-Identifier: MIT */
#include "ui/runs/files-private.h"

#include <glib/gi18n.h>
#include <string.h>

#include "core/run/base/background.h"
#include "plot/base/theme.h"
#include "ui/kit/file-dialog.h"
#include "ui/kit/widget.h"

/* Numbers of curves begin above those of stored runs. */
enum { FILES_MAX = 64, FIRST_NUMBER = 1 << 24 };

G_DEFINE_FINAL_TYPE (SlCurveFiles, sl_curve_files, GTK_TYPE_WIDGET)

static void
free_file (gpointer data)
{
  SlCurveFile *file = data;

  sl_foreign_clear (&file->foreign);
  g_free (file->path);
  g_free (file);
}

unsigned
sl_curve_files_count (SlCurveFiles *self)
{
  g_return_val_if_fail (SL_IS_CURVE_FILES (self), 0);
  return self->files->len;
}

const SlForeign *
sl_curve_files_get (SlCurveFiles *self, unsigned i)
{
  g_return_val_if_fail (SL_IS_CURVE_FILES (self) && i < self->files->len, NULL);
  return &sl_curve_files_at (self, i)->foreign;
}

/* ---- what is chosen ---- */

static gboolean
has_some (SlCurveFiles *self, const SlForeign *foreign)
{
  for (guint i = 0; i < self->chosen->len; i++)
    if (sl_foreign_find (foreign, g_ptr_array_index (self->chosen, i)) != NULL)
      return TRUE;
  return FALSE;
}

static gboolean
any_has (SlCurveFiles *self, const char *name)
{
  for (guint f = 0; f < self->files->len; f++)
    if (sl_foreign_find (&sl_curve_files_at (self, f)->foreign, name) != NULL)
      return TRUE;
  return FALSE;
}

/* What a person who opens a log looks for first: 2 for a loss or error, 0 for another count of steps. */
static int
interest_of (const SlForeignCurve *curve)
{
  g_autofree char *name = g_ascii_strdown (curve->name, -1);

  if (strstr (name, "loss") != NULL || strstr (name, "error") != NULL)
    return 2;
  return sl_steps_rank (curve->name) < 0;
}

/* The first of the most interesting curves of the file that have samples. */
static void
choose_first (SlCurveFiles *self, const SlForeign *foreign)
{
  const SlForeignCurve *best = NULL;

  for (guint i = 0; i < foreign->curves->len; i++)
    {
      const SlForeignCurve *curve = g_ptr_array_index (foreign->curves, i);

      if (curve->series.n > 0 && (best == NULL || interest_of (curve) > interest_of (best)))
        best = curve;
    }
  if (best != NULL)
    g_ptr_array_add (self->chosen, g_strdup (best->name));
}

void
sl_curve_files_choose (SlCurveFiles *self, const char *name, gboolean chosen)
{
  guint at;

  g_return_if_fail (SL_IS_CURVE_FILES (self) && name != NULL);
  if (g_ptr_array_find_with_equal_func (self->chosen, name, g_str_equal, &at) == chosen)
    return;
  if (chosen)
    g_ptr_array_add (self->chosen, g_strdup (name));
  else
    g_ptr_array_remove_index (self->chosen, at);
  g_signal_emit_by_name (self, "changed");
}

char *
sl_curve_files_title (SlCurveFiles *self)
{
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();
  g_auto (GStrv) list = NULL;

  g_return_val_if_fail (SL_IS_CURVE_FILES (self), NULL);
  for (guint i = 0; i < self->chosen->len; i++)
    g_strv_builder_add (names, g_ptr_array_index (self->chosen, i));
  list = g_strv_builder_end (names);
  return g_strjoinv (", ", list);
}

const char *
sl_curve_files_steps (SlCurveFiles *self)
{
  g_return_val_if_fail (SL_IS_CURVE_FILES (self), NULL);
  return sl_foreign_steps ((SlForeign *const *) self->files->pdata, self->files->len);
}

/* ---- drawing ---- */

/* The next colour that is not taken, which it then is; in turn when all are. */
static unsigned
next_slot (guint *taken, unsigned *turn)
{
  for (unsigned slot = 0; slot < SL_THEME_COLOURS; slot++)
    if ((*taken >> slot & 1) == 0)
      {
        *taken |= 1u << slot;
        return slot;
      }
  return (*turn)++ % SL_THEME_COLOURS;
}

/* As much of a name as the legend has room for, in whole letters. */
static char *
name_of (const SlCurveFile *file, const char *name)
{
  char *text = name != NULL ? g_strdup_printf ("%s, %s", file->foreign.title, name)
                            : g_strdup (file->foreign.title);

  if (strlen (text) >= SL_GROUP_TITLE)
    *g_utf8_find_prev_char (text, text + SL_GROUP_TITLE) = '\0';
  return text;
}

void
sl_curve_files_draw (SlCurveFiles *self, SlFigure *figure, guint taken, gboolean alone)
{
  unsigned turn = 0;

  g_return_if_fail (SL_IS_CURVE_FILES (self) && figure != NULL);
  g_ptr_array_set_size (self->gone, 0);
  for (guint f = 0; f < self->files->len; f++)
    for (guint i = 0; i < self->chosen->len; i++)
      {
        const SlCurveFile    *file = sl_curve_files_at (self, f);
        const char           *name = g_ptr_array_index (self->chosen, i);
        const SlForeignCurve *curve = sl_foreign_find (&file->foreign, name);
        g_autofree char      *title = name_of (file, alone && self->chosen->len == 1 ? NULL : name);
        SlOverlayRun          run = { .title = title };

        if (curve == NULL || curve->series.n == 0)
          continue;
        run.slot = next_slot (&taken, &turn);
        run.number = file->number
                     + GPOINTER_TO_UINT (g_hash_table_lookup (file->foreign.places, curve->name));
        if (!sl_overlay_series (figure, &run, &(SlOverlayTrace) { .id = "", .place = 0 },
                                &curve->series))
          return;
      }
}

/* ---- files ---- */

static void
show_count (SlCurveFiles *self)
{
  g_autofree char *text = self->files->len > 0
                            ? g_strdup_printf (_ ("Files (%u)"), self->files->len)
                            : g_strdup (_ ("Files"));

  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), text);
}

/* The index of the file of this path, or the number of files. */
static guint
place_of (SlCurveFiles *self, const char *path)
{
  guint f = 0;

  while (f < self->files->len && !g_str_equal (sl_curve_files_at (self, f)->path, path))
    f++;
  return f;
}

void
sl_curve_files_remove (SlCurveFiles *self, const char *path)
{
  guint at = place_of (self, path);

  if (at == self->files->len)
    return;
  g_ptr_array_add (self->gone, g_ptr_array_steal_index (self->files, at));
  for (guint i = self->chosen->len; i > 0; i--)
    if (!any_has (self, g_ptr_array_index (self->chosen, i - 1)))
      g_ptr_array_remove_index (self->chosen, i - 1);
  if (self->chosen->len == 0 && self->files->len > 0)
    choose_first (self, &sl_curve_files_at (self, 0)->foreign);
  show_count (self);
  sl_curve_files_fill_list (self);
  g_signal_emit_by_name (self, "changed");
}

/* What a thread reads. */
typedef struct
{
  char        *path, *title; /* title NULL: that of the file */
  SlCurveFile *file;         /* NULL: not read */
} Task;

static void
free_task (gpointer data)
{
  Task *task = data;

  g_clear_pointer (&task->file, free_file);
  g_free (task->path);
  g_free (task->title);
  g_free (task);
}

static gboolean
read_file (gpointer data, GError **error)
{
  Task        *task = data;
  SlCurveFile *file = g_new0 (SlCurveFile, 1);

  if (task->title != NULL ? !sl_foreign_open_as (&file->foreign, task->path, task->title, error)
                          : !sl_foreign_open (&file->foreign, task->path, error))
    {
      g_free (file);
      return FALSE;
    }
  file->path = g_strdup (task->path);
  task->file = file;
  return TRUE;
}

/* Files of the same name are told apart by their folders. */
static void
name_file (SlCurveFiles *self, SlCurveFile *file)
{
  gboolean same = FALSE;

  for (guint f = 0; f < self->files->len; f++)
    same |= g_str_equal (sl_curve_files_at (self, f)->foreign.title, file->foreign.title);
  if (same)
    {
      g_autofree char *folder = g_path_get_dirname (file->path);
      g_autofree char *last = g_filename_display_basename (folder);
      char            *title = g_strdup_printf ("%s/%s", last, file->foreign.title);

      g_free (file->foreign.title);
      file->foreign.title = title;
    }
}

static void
on_read (gpointer owner, gpointer data, const GError *error)
{
  SlCurveFiles    *self = owner;
  Task            *task = data;
  SlCurveFile     *file = task->file;
  guint            at = place_of (self, task->path);
  g_autofree char *said = NULL;

  if (error != NULL || (at == self->files->len && at == FILES_MAX))
    {
      g_signal_emit_by_name (self, "said",
                             error != NULL ? error->message : _ ("There are too many files"));
      return;
    }
  task->file = NULL;
  if (at < self->files->len)
    {
      SlCurveFile *before = sl_curve_files_at (self, at);

      g_ptr_array_add (self->gone, before);
      g_ptr_array_index (self->files, at) = file;
      file->number = before->number;
      g_free (file->foreign.title);
      file->foreign.title = g_strdup (before->foreign.title);
    }
  else
    {
      name_file (self, file);
      file->number = FIRST_NUMBER + (SL_FOREIGN_CURVES_MAX + 1) * self->numbers++;
      g_ptr_array_add (self->files, file);
    }
  show_count (self);
  g_signal_emit_by_name (self, "added", at);
  if (!has_some (self, &file->foreign))
    choose_first (self, &file->foreign);
  if (gtk_widget_get_visible (gtk_widget_get_ancestor (GTK_WIDGET (self->list), GTK_TYPE_POPOVER)))
    sl_curve_files_fill_list (self);
  g_signal_emit_by_name (self, "changed");
  /* Of the many runs of a folder only what is to be known of them. */
  said = task->title == NULL ? sl_foreign_said (&file->foreign) : sl_foreign_note (&file->foreign);
  if (said != NULL)
    {
      g_autofree char *sentence = g_strdup_printf ("%s: %s", file->foreign.title, said);

      g_signal_emit_by_name (self, "said", sentence);
    }
}

void
sl_curve_files_open (SlCurveFiles *self, const char *path, const char *title)
{
  Task *task;

  g_return_if_fail (SL_IS_CURVE_FILES (self) && path != NULL);
  task = g_new0 (Task, 1);
  task->path = g_canonicalize_filename (path, NULL);
  task->title = g_strdup (title);
  sl_background_run (read_file, on_read, self, self->closing, task, free_task);
}

static void
on_chosen (SlCurveFiles *self, const char *path)
{
  sl_curve_files_open (self, path, NULL);
}

static void
on_failed (SlCurveFiles *self, const char *sentence)
{
  g_signal_emit_by_name (self, "said", sentence);
}

static void
on_open (GtkWidget *widget, const char *name, GVariant *parameter)
{
  SlCurveFiles *self = SL_CURVE_FILES (widget);
  GtkRoot      *root = gtk_widget_get_root (widget);

  gtk_menu_button_popdown (GTK_MENU_BUTTON (self->button));
  if (GTK_IS_WINDOW (root))
    sl_file_dialog_open (&self->chooser, GTK_WINDOW (root),
                         &(SlFileQuestion) { .title = _ ("Open curves of another program") },
                         (SlFileChosen) on_chosen, (SlFileChosen) on_failed, self);
}

/* ---- the widget ---- */

static void
sl_curve_files_dispose (GObject *object)
{
  SlCurveFiles *self = SL_CURVE_FILES (object);

  g_cancellable_cancel (self->closing);
  g_clear_object (&self->chooser);
  g_clear_pointer (&self->button, gtk_widget_unparent);
  G_OBJECT_CLASS (sl_curve_files_parent_class)->dispose (object);
}

static void
sl_curve_files_finalize (GObject *object)
{
  SlCurveFiles *self = SL_CURVE_FILES (object);

  g_object_unref (self->closing);
  g_ptr_array_unref (self->files);
  g_ptr_array_unref (self->gone);
  g_ptr_array_unref (self->chosen);
  G_OBJECT_CLASS (sl_curve_files_parent_class)->finalize (object);
}

static void
sl_curve_files_class_init (SlCurveFilesClass *klass)
{
  GtkWidgetClass *widget = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = sl_curve_files_dispose;
  G_OBJECT_CLASS (klass)->finalize = sl_curve_files_finalize;
  sl_signal_new (SL_TYPE_CURVE_FILES, "changed", 0);
  sl_signal_new (SL_TYPE_CURVE_FILES, "added", 1, G_TYPE_UINT);
  sl_signal_new (SL_TYPE_CURVE_FILES, "said", 1, G_TYPE_STRING);
  gtk_widget_class_install_action (widget, "files.open", NULL, on_open);
  gtk_widget_class_set_layout_manager_type (widget, GTK_TYPE_BIN_LAYOUT);
}

static void
sl_curve_files_init (SlCurveFiles *self)
{
  GtkWidget *popover = gtk_popover_new (), *list = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);

  self->files = g_ptr_array_new_with_free_func (free_file);
  self->gone = g_ptr_array_new_with_free_func (free_file);
  self->chosen = g_ptr_array_new_with_free_func (g_free);
  self->closing = g_cancellable_new ();
  self->list = GTK_BOX (list);
  gtk_popover_set_child (GTK_POPOVER (popover), list);
  g_signal_connect_swapped (popover, "show", G_CALLBACK (sl_curve_files_fill_list), self);
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button), popover);
  gtk_widget_set_tooltip_text (self->button, _ ("Curves of other programs, beside those of runs"));
  gtk_widget_set_parent (self->button, GTK_WIDGET (self));
  show_count (self);
}
