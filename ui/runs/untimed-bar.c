/* SPDX-License-Identifier: MIT */
#include "ui/runs/untimed-bar.h"

#include <glib/gi18n.h>

#include "core/run/base/background.h"
#include "core/run/headless/retime.h"
#include "ui/kit/widget.h"

enum { GAP = 8 };

struct _SlUntimedBar
{
  GtkWidget parent_instance;

  GtkLabel     *words;
  GtkButton    *button;
  SlStore      *store;
  GPtrArray    *uuids; /* of strings: that are to be timed */
  guint         compared, at, busy;
  GError       *error;    /* the first one */
  GCancellable *stopping; /* while it is at work, else NULL */
  GCancellable *closing;
};

G_DEFINE_FINAL_TYPE (SlUntimedBar, sl_untimed_bar, GTK_TYPE_WIDGET)

static void
show (SlUntimedBar *self)
{
  g_autofree char *text = NULL;

  if (self->stopping != NULL)
    text = g_strdup_printf (_ ("Timing run %u of %u…"), self->at + 1, self->uuids->len);
  else
    text = g_strdup_printf (_ ("Runs without a time: %u of %u."), self->uuids->len, self->compared);
  gtk_label_set_label (self->words, text);
  gtk_button_set_label (self->button, self->stopping != NULL ? _ ("Stop") : _ ("Time them"));
  gtk_widget_set_visible (GTK_WIDGET (self), self->uuids->len > 0);
}

/* ---- at work ---- */

typedef struct
{
  SlStore      *store;
  char         *uuid;
  GCancellable *stopping;
  SlOutcome     outcome;
} Task;

static void
free_task (gpointer data)
{
  Task *task = data;

  g_object_unref (task->store);
  g_object_unref (task->stopping);
  g_free (task->uuid);
  g_free (task);
}

static bool
goes_on (void *data, const SlHeadlessRun *run, const SlProgress *progress, double done)
{
  return !g_cancellable_is_cancelled (data);
}

static gboolean
time_one (gpointer data, GError **error)
{
  Task *task = data;

  return sl_retime (task->store, task->uuid, goes_on, task->stopping, &task->outcome, error);
}

static void
end (SlUntimedBar *self)
{
  g_autofree char *sentence = NULL;

  if (self->error != NULL)
    sentence = g_strdup (self->error->message);
  else if (self->busy > 0)
    sentence = g_strdup_printf (_ ("The machine was too busy to time runs: %u."), self->busy);
  g_clear_error (&self->error);
  g_clear_object (&self->stopping);
  if (sentence != NULL)
    g_signal_emit_by_name (self, "said", sentence);
  show (self);
}

static void begin (SlUntimedBar *self);

/* One that cannot be timed does not keep the others from it. */
static void
on_timed (gpointer owner, gpointer data, const GError *error)
{
  SlUntimedBar *self = owner;

  self->busy += error == NULL && ((Task *) data)->outcome.busy;
  if (error != NULL && self->error == NULL && !g_error_matches (error, SL_ERROR, SL_ECANCELLED))
    self->error = g_error_copy (error);
  self->at++;
  if (self->at == self->uuids->len || g_cancellable_is_cancelled (self->stopping))
    end (self);
  else
    begin (self);
}

static void
begin (SlUntimedBar *self)
{
  Task *task = g_new0 (Task, 1);

  task->store = g_object_ref (self->store);
  task->uuid = g_strdup (g_ptr_array_index (self->uuids, self->at));
  task->stopping = g_object_ref (self->stopping);
  sl_background_run (time_one, on_timed, self, self->closing, task, free_task);
  show (self);
}

static void
on_clicked (SlUntimedBar *self)
{
  if (self->stopping != NULL)
    {
      g_cancellable_cancel (self->stopping);
      return;
    }
  self->at = self->busy = 0;
  self->stopping = g_cancellable_new ();
  begin (self);
}

/* ---- the widget ---- */

void
sl_untimed_bar_show (SlUntimedBar *self, SlStore *store, const GPtrArray *runs, guint compared)
{
  g_return_if_fail (SL_IS_UNTIMED_BAR (self));
  if (self->stopping != NULL)
    return;
  g_set_object (&self->store, store);
  g_ptr_array_set_size (self->uuids, 0);
  self->compared = compared;
  for (guint i = 0; store != NULL && sl_store_writes (store) && i < runs->len; i++)
    if (sl_retime_is_due (g_ptr_array_index (runs, i)))
      g_ptr_array_add (self->uuids,
                       g_strdup (((const SlStoreRun *) g_ptr_array_index (runs, i))->uuid));
  show (self);
}

void
sl_untimed_bar_stop (SlUntimedBar *self)
{
  g_return_if_fail (SL_IS_UNTIMED_BAR (self));
  if (self->stopping != NULL)
    g_cancellable_cancel (self->stopping);
}

static void
sl_untimed_bar_dispose (GObject *object)
{
  SlUntimedBar *self = SL_UNTIMED_BAR (object);
  GtkWidget    *child;

  sl_untimed_bar_stop (self);
  g_cancellable_cancel (self->closing);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->store);
  G_OBJECT_CLASS (sl_untimed_bar_parent_class)->dispose (object);
}

static void
sl_untimed_bar_finalize (GObject *object)
{
  SlUntimedBar *self = SL_UNTIMED_BAR (object);

  g_clear_object (&self->stopping);
  g_clear_error (&self->error);
  g_object_unref (self->closing);
  g_ptr_array_unref (self->uuids);
  G_OBJECT_CLASS (sl_untimed_bar_parent_class)->finalize (object);
}

static void
sl_untimed_bar_class_init (SlUntimedBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = sl_untimed_bar_dispose;
  G_OBJECT_CLASS (klass)->finalize = sl_untimed_bar_finalize;
  sl_signal_new (SL_TYPE_UNTIMED_BAR, "said", 1, G_TYPE_STRING);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
}

static void
sl_untimed_bar_init (SlUntimedBar *self)
{
  self->uuids = g_ptr_array_new_with_free_func (g_free);
  self->closing = g_cancellable_new ();
  self->words = GTK_LABEL (gtk_label_new (NULL));
  self->button = GTK_BUTTON (gtk_button_new ());
  gtk_box_layout_set_spacing (GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))),
                              GAP);
  gtk_widget_set_parent (GTK_WIDGET (self->words), GTK_WIDGET (self));
  gtk_widget_set_parent (GTK_WIDGET (self->button), GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  g_signal_connect_swapped (self->button, "clicked", G_CALLBACK (on_clicked), self);
}
