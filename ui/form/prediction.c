/* SPDX-License-Identifier: MIT */
#include "ui/form/prediction.h"

#include <glib/gi18n.h>
#include <math.h>

#include "core/nn/kernels/mat.h"
#include "core/run/base/language.h"
#include "ui/kit/cost-service.h"
#include "ui/kit/widget.h"

struct _SlPredictionLine
{
  GtkWidget parent_instance;

  GtkLabel  *label;
  GtkWidget *map; /* a button */

  /* What is shown, so that nothing is worked out twice. */
  const SlLab       *lab;
  const SlDataset   *dataset;
  const SlCostModel *model;
  SlSettings         settings;
};

G_DEFINE_FINAL_TYPE (SlPredictionLine, sl_prediction_line, GTK_TYPE_WIDGET)

/* Two digits: "0.86", "1.8", "12", "120". */
static char *
two_digits (double value)
{
  if (value >= 9.95)
    return g_strdup_printf ("%.0f", value);
  return g_strdup_printf (value >= 0.995 ? "%.1f" : "%.2g", value);
}

static const char *
verdict_format (SlCostVerdict verdict)
{
  switch (verdict)
    {
    case SL_COST_PAYS: return _ ("Predicted: about %s ms, %s of dense: pays");
    case SL_COST_PAYS_NOT: return _ ("Predicted: about %s ms, %s of dense: does not pay");
    default: return _ ("Predicted: about %s ms, %s of dense: may or may not pay");
    }
}

static void
append_pass (GString *text, const SlPrediction *pass, const SlPrediction *up)
{
  g_autofree char *ms = two_digits (1e3 * pass->seconds);
  g_autofree char *share = two_digits (1 / up->seconds);

  /* A sentence for each verdict, with the same two arguments. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  g_string_append_printf (text, verdict_format (sl_cost_verdict (up)), ms, share);
#pragma GCC diagnostic pop
}

static void
append_reason (GString *text, const SlWorkload *work, SlCostPart part)
{
  char why[SL_MESSAGE_SIZE];

  g_string_append_printf (text, _ ("Not predicted: %s"),
                          sl_message_show (work->refused[part].packed, sl_words, why, sizeof why));
}

static char *
line_of (const SlCostModel *model, const SlWorkload *work)
{
  SlPrediction pass = sl_cost_predict (model, work, SL_COST_OF_PASS);
  SlPrediction step = sl_cost_predict (model, work, SL_COST_OF_STEP);
  SlPrediction up = sl_cost_predict_speed_up (model, work);
  GString     *text = g_string_new (NULL);

  if (isfinite (up.seconds))
    append_pass (text, &pass, &up);
  else
    append_reason (text, work, SL_COST_OF_PASS);
  if (isfinite (step.seconds))
    {
      g_autofree char *ms = two_digits (1e3 * step.seconds);

      g_string_append_c (text, '\n');
      g_string_append_printf (text, _ ("%s ms an update"), ms);
    }
  return g_string_free (text, FALSE);
}

static char *
tooltip_of (const SlCostModel *model, const SlWorkload *work)
{
  SlPrediction     pass = sl_cost_predict (model, work, SL_COST_OF_PASS);
  SlPrediction     dense = sl_cost_predict (model, work, SL_COST_OF_DENSE);
  SlPrediction     up = sl_cost_predict_speed_up (model, work);
  g_autofree char *least = two_digits (1e3 * pass.least), *most = two_digits (1e3 * pass.most);
  g_autofree char *all = two_digits (1e3 * dense.seconds);
  g_autofree char *little = two_digits (1 / up.most), *much = two_digits (1 / up.least);

  if (!isfinite (up.seconds))
    return g_strdup (_ ("From kernels and small runs that were timed on this machine"));
  return g_strdup_printf (_ ("A forward pass of %zu examples takes %s to %s ms, a dense one %s ms, "
                             "which is %s to %s of dense.\nOne thread, kernel %s; from kernels and "
                             "small runs that were timed on this machine."),
                          work->batch, least, most, all, little, much, sl_blas_kernel ());
}

static void
hide (SlPredictionLine *self)
{
  gtk_widget_set_visible (self->map, FALSE);
  gtk_label_set_label (self->label, "");
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

static void
show_words (SlPredictionLine *self, const char *line, const char *tooltip)
{
  gtk_label_set_label (self->label, line);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), tooltip);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
}

static void
show_prediction (SlPredictionLine *self, const SlCostModel *model)
{
  g_autofree SlWorkload *work = g_new (SlWorkload, 1);
  SlStatus               status = sl_cost_init (work, self->lab, &self->settings, self->dataset);
  g_autofree char       *line = NULL, *tooltip = NULL;

  if (!sl_ok (&status))
    {
      hide (self);
      return;
    }
  gtk_widget_set_visible (self->map, self->lab->even[0] != NULL);
  line = line_of (model, work);
  tooltip = tooltip_of (model, work);
  show_words (self, line, tooltip);
}

static void
show_without_model (SlPredictionLine *self)
{
  gtk_widget_set_visible (self->map, FALSE);
  if (sl_cost_service_is_measuring (sl_cost_service_get ()))
    show_words (self, _ ("Kernels are being timed, to predict costs"),
                _ ("This takes about a minute, once on this machine"));
  else
    hide (self);
}

void
sl_prediction_line_show (SlPredictionLine *self, const SlLab *lab, const SlSettings *settings,
                         const SlDataset *dataset)
{
  const SlCostModel *model = sl_cost_service_model (sl_cost_service_get ());

  g_return_if_fail (SL_IS_PREDICTION_LINE (self) && lab != NULL && settings != NULL);
  if (lab->cost == NULL || (dataset == NULL && lab->data != SL_NEEDS_NOTHING))
    {
      hide (self);
      self->lab = NULL;
      return;
    }
  if (model == NULL)
    {
      show_without_model (self);
      self->lab = NULL;
      return;
    }
  if (lab == self->lab && dataset == self->dataset && model == self->model
      && sl_settings_same (&self->settings, settings, lab->n_params))
    return;
  self->lab = lab;
  self->dataset = dataset;
  self->model = model;
  self->settings = *settings;
  show_prediction (self, model);
}

const char *
sl_prediction_line_get_text (SlPredictionLine *self)
{
  g_return_val_if_fail (SL_IS_PREDICTION_LINE (self), NULL);
  return gtk_label_get_label (self->label);
}

static void
sl_prediction_line_dispose (GObject *object)
{
  SlPredictionLine *self = SL_PREDICTION_LINE (object);

  if (self->label != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->label));
  self->label = NULL;
  g_clear_pointer (&self->map, gtk_widget_unparent);
  G_OBJECT_CLASS (sl_prediction_line_parent_class)->dispose (object);
}

static void
sl_prediction_line_class_init (SlPredictionLineClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = sl_prediction_line_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BOX_LAYOUT);
}

static void
sl_prediction_line_init (SlPredictionLine *self)
{
  self->label = GTK_LABEL (gtk_label_new (""));
  gtk_label_set_xalign (self->label, 0.0f);
  gtk_label_set_wrap (self->label, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->label), "caption");
  gtk_widget_set_hexpand (GTK_WIDGET (self->label), TRUE);
  gtk_widget_set_parent (GTK_WIDGET (self->label), GTK_WIDGET (self));
  self->map = gtk_button_new_from_icon_name ("view-grid-symbolic");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->map), "win.break-even");
  gtk_widget_set_tooltip_text (self->map, _ ("Where skipping pays: a map over two parameters"));
  sl_widget_label (self->map, _ ("Where skipping pays"));
  gtk_widget_set_valign (self->map, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (self->map, "flat");
  gtk_widget_set_parent (self->map, GTK_WIDGET (self));
  gtk_widget_add_css_class (GTK_WIDGET (self), "prediction");
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
