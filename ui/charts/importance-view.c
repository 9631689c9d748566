/* SPDX-License-Identifier: MIT */
#include "ui/charts/importance-view.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/run/base/background.h"
#include "core/run/importance/importance.h"
#include "ui/kit/widget.h"
#include "ui/plot-view/view.h"

/* Settings with a bar: the first of those that matter most. */
enum { OBJECTIVES = 3, BARS = 10 };

static const struct
{
  const char *field, *title;
} objectives[OBJECTIVES] = {
  { "error", N_ ("error") },
  { "executed", N_ ("executed cost") },
  { "timed", N_ ("time") },
};

/* What a thread makes. */
typedef struct Task
{
  SlImportanceTable *table[OBJECTIVES];
  SlImportance       found[OBJECTIVES];
} Task;

struct _SlRunImportance
{
  GtkWidget parent_instance;

  SlPlotView   *view;
  GPtrArray    *shown; /* of the runs that the bars are of: "name step" */
  struct Task  *later; /* what came while a thread was busy, or NULL */
  gboolean      busy;
  GCancellable *closing;

  const char *names[BARS];
  double      x[BARS], y[OBJECTIVES][BARS], spread[OBJECTIVES][BARS];
};

G_DEFINE_FINAL_TYPE (SlRunImportance, sl_run_importance, GTK_TYPE_WIDGET)

static void begin (SlRunImportance *self, Task *task);

static void
free_task (gpointer data)
{
  Task *task = data;

  for (unsigned o = 0; o < OBJECTIVES; o++)
    sl_importance_table_free (task->table[o]);
  g_free (task);
}

static gboolean
measure (gpointer data, GError **error)
{
  Task *task = data;

  for (unsigned o = 0; o < OBJECTIVES; o++)
    sl_importance_measure (task->table[o], &task->found[o]);
  return TRUE;
}

static const SlImportancePart *
find_part (const SlImportance *found, const char *id)
{
  for (unsigned i = 0; i < found->n; i++)
    if (g_str_equal (found->part[i].id, id))
      return &found->part[i];
  return NULL;
}

static void
add_bars (SlRunImportance *self, const SlImportance *found, unsigned o, const SlImportance *order,
          unsigned n)
{
  SlCurve *curve
    = found->n > 0 ? sl_figure_curve (sl_run_importance_figure (self), objectives[o].field) : NULL;

  if (curve == NULL)
    return;
  sl_figure_follow (curve, NULL);
  for (unsigned i = 0; i < n; i++)
    {
      const SlImportancePart *part = find_part (found, order->part[i].id);

      self->y[o][i] = part != NULL ? 100 * part->share : NAN;
      self->spread[o][i] = part != NULL ? 100 * part->spread : NAN;
    }
  g_strlcpy (curve->title, objectives[o].title, sizeof curve->title);
  g_strlcpy (curve->unit, "%", sizeof curve->unit);
  curve->slot = o;
  curve->x = self->x;
  curve->y = self->y[o];
  curve->spread = self->spread[o];
  curve->n = n;
}

/* In the order of what matters for the first outcome that there is. */
static void
fill (SlRunImportance *self, const SlImportance found[OBJECTIVES])
{
  SlFigure           *figure = sl_run_importance_figure (self);
  const SlImportance *order = &found[0];
  unsigned            n;

  for (unsigned o = 1; o < OBJECTIVES && order->n == 0; o++)
    order = &found[o];
  n = MIN (order->n, BARS);
  for (unsigned i = 0; i < n; i++)
    {
      self->names[i] = order->part[i].title;
      self->x[i] = i;
    }
  figure->kind = SL_BARS;
  figure->mark = NAN;
  figure->categories = self->names;
  figure->n_categories = n;
  figure->x = (SlAxis) { .label = "" };
  figure->y = (SlAxis) { .label = N_ ("share of the variance"), .unit = "%", .lo = 0, .hi = 100 };
  g_strlcpy (figure->title, N_ ("Importance of settings"), sizeof figure->title);
  figure->note[0] = '\0';
  if (n > 0)
    sl_message_print (
      figure->note, sizeof figure->note,
      N_ ("functional ANOVA over %u trees, %u runs; error bars: ±1 standard deviation"),
      SL_FOREST_TREES, order->runs);
  sl_figure_begin (figure);
  for (unsigned o = 0; o < OBJECTIVES; o++)
    add_bars (self, &found[o], o, order, n);
  sl_figure_end (figure);
  figure->version++;
  sl_plot_view_touch (self->view);
}

static void
on_measured (gpointer owner, gpointer data, const GError *error)
{
  SlRunImportance *self = owner;
  Task            *task = data;
  Task            *later = g_steal_pointer (&self->later);

  self->busy = FALSE;
  fill (self, task->found);
  if (later != NULL)
    begin (self, later);
}

static void
begin (SlRunImportance *self, Task *task)
{
  self->busy = TRUE;
  sl_background_run (measure, on_measured, self, self->closing, task, free_task);
}

/* Runs are copied into tables here, where they do not change. */
static Task *
make_task (const GPtrArray *runs, const SlLab *lab)
{
  Task *task = g_new0 (Task, 1);

  for (unsigned o = 0; o < OBJECTIVES; o++)
    {
      SlField field;

      sl_field_find (objectives[o].field, NULL, &field);
      task->table[o] = sl_importance_table_new (runs, lab, &field);
    }
  return task;
}

/* What the bars depend on: which runs, and how far they are. */
static GPtrArray *
marks_of (const GPtrArray *runs)
{
  GPtrArray *marks = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < runs->len; i++)
    {
      const SlStoreRun *run = g_ptr_array_index (runs, i);

      g_ptr_array_add (marks, g_strdup_printf ("%s %" G_GUINT64_FORMAT " %d %u", run->uuid,
                                               run->step, (int) run->status, run->n_figures));
    }
  return marks;
}

static gboolean
same_marks (const GPtrArray *a, const GPtrArray *b)
{
  gboolean same = a != NULL && a->len == b->len;

  for (guint i = 0; same && i < a->len; i++)
    same = g_str_equal (g_ptr_array_index (a, i), g_ptr_array_index (b, i));
  return same;
}

void
sl_run_importance_show (SlRunImportance *self, const GPtrArray *runs, const SlLab *lab)
{
  g_autoptr (GPtrArray) marks = NULL;
  Task *task;

  g_return_if_fail (SL_IS_RUN_IMPORTANCE (self) && runs != NULL && lab != NULL);
  marks = marks_of (runs);
  if (same_marks (self->shown, marks))
    return;
  g_clear_pointer (&self->shown, g_ptr_array_unref);
  self->shown = g_steal_pointer (&marks);
  g_clear_pointer (&self->later, free_task);
  task = make_task (runs, lab);
  if (self->busy)
    self->later = task;
  else
    begin (self, task);
}

SlFigure *
sl_run_importance_figure (SlRunImportance *self)
{
  g_return_val_if_fail (SL_IS_RUN_IMPORTANCE (self), NULL);
  return sl_plot_view_get_figure (self->view);
}

static void
on_copy (SlRunImportance *self)
{
  g_signal_emit_by_name (self, "copy");
}

static void
on_export (SlRunImportance *self)
{
  g_signal_emit_by_name (self, "export");
}

static void
sl_run_importance_dispose (GObject *object)
{
  SlRunImportance *self = SL_RUN_IMPORTANCE (object);

  g_cancellable_cancel (self->closing);
  if (self->view != NULL)
    {
      sl_figure_clear (sl_plot_view_get_figure (self->view));
      gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->view)));
    }
  g_clear_pointer (&self->shown, g_ptr_array_unref);
  g_clear_pointer (&self->later, free_task);
  g_clear_object (&self->closing);
  G_OBJECT_CLASS (sl_run_importance_parent_class)->dispose (object);
}

static void
sl_run_importance_class_init (SlRunImportanceClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = sl_run_importance_dispose;
  sl_signal_new (SL_TYPE_RUN_IMPORTANCE, "copy", 0);
  sl_signal_new (SL_TYPE_RUN_IMPORTANCE, "export", 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
sl_run_importance_init (SlRunImportance *self)
{
  self->closing = g_cancellable_new ();
  self->view = g_object_new (SL_TYPE_PLOT_VIEW, NULL);
  g_signal_connect_swapped (self->view, "copy", G_CALLBACK (on_copy), self);
  g_signal_connect_swapped (self->view, "export", G_CALLBACK (on_export), self);
  gtk_widget_set_parent (GTK_WIDGET (self->view), GTK_WIDGET (self));
}
