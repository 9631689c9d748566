/* SPDX-License-Identifier: MIT
 *
 * The form that is made from descriptors: every kind of row, every lab, every data source.  */
#include <glib/gstdio.h>
#include <math.h>

#include "core/data/source/source.h"
#include "core/lab/lab.h"
#include "core/labs/registry.h"
#include "tests/ui/ui.h"
#include "ui/form/data-group.h"
#include "ui/form/form.h"
#include "ui/form/run-group.h"
#include "ui/form/scale.h"
#include "ui/kit/field.h"

static const SlChoice colours[]
  = { { "red", "Red" }, { "blue", "Blue" }, { "mine", "Of a program", .programs = true }, { 0 } };

/* clang-format off */
static const SlParam params[] = {
  { .id = "rate", .title = "Rate", .unit = "", .group = "One", .help = "A rate.", .source = "",
    .kind = SL_REAL, .lo = 1e-5, .hi = 1, .step = 0.001, .fallback = 0.01, .logarithmic = true },
  { .id = "noise", .title = "Noise", .unit = "%", .group = "One", .help = "Noise.",
    .source = "somewhere", .kind = SL_REAL, .lo = 0, .hi = 1, .step = 0.05, .fallback = 0.5 },
  { .id = "count", .title = "Count", .unit = "", .group = "Two", .help = "A count.", .source = "",
    .kind = SL_INTEGER, .lo = 0, .hi = 1000, .step = 1, .fallback = 10, .logarithmic = true },
  { .id = "colour", .title = "Colour", .unit = "", .group = "One", .help = "A colour.",
    .source = "", .kind = SL_CHOICE, .choices = colours },
  { .id = "flag", .title = "Flag", .unit = "", .group = "Two", .help = "A flag.", .source = "",
    .kind = SL_BOOLEAN, .needs = "colour=blue" },
  { .id = "layers", .title = "Layers", .unit = "units", .group = "Two", .help = "Widths.",
    .source = "", .kind = SL_LIST, .lo = 1, .hi = 4096, .step = 1, .list = "10-20",
    .effect = SL_RESTART, .one = "layer" },
  { .id = "ranks", .title = "Rank", .unit = "", .group = "Two", .help = "Ranks.", .source = "",
    .kind = SL_LIST, .lo = 0, .hi = 4096, .step = 1, .list = "3-4", .each = "layers",
    .logarithmic = true, .one = "layer" },
  { .id = "theta", .title = "Threshold", .unit = "", .group = "Two", .help = "Thresholds.",
    .source = "", .kind = SL_LIST, .lo = -2, .hi = 2, .step = 0.25, .list = "-0.5", .each = "layers",
    .one = "layer" },
};
/* clang-format on */

enum { N_PARAMS = G_N_ELEMENTS (params) };

typedef struct
{
  char    *id;
  SlValue  value;
  unsigned edits, finals, refusals;
} Heard;

static void
on_edited (SlParamForm *form, const char *id, SlValue *value, gboolean final, Heard *heard)
{
  g_free (heard->id);
  heard->id = g_strdup (id);
  heard->value = *value;
  heard->edits++;
  heard->finals += final;
}

static void
on_refused (SlParamForm *form, const char *sentence, Heard *heard)
{
  /* By the name that the row has, not by the one that is typed on a command line. */
  g_assert_true (g_ascii_isupper (*sentence));
  heard->refusals++;
}

static SlParamForm *
make_form (Heard *heard)
{
  SlParamForm *form = g_object_ref_sink (g_object_new (SL_TYPE_PARAM_FORM, NULL));
  SlSettings   settings;

  *heard = (Heard) { 0 };
  sl_settings_default (&settings, params, N_PARAMS);
  sl_param_form_build (form, params, N_PARAMS, &settings);
  g_signal_connect (form, "edited", G_CALLBACK (on_edited), heard);
  g_signal_connect (form, "refused", G_CALLBACK (on_refused), heard);
  return form;
}

static void
drop_form (SlParamForm *form, Heard *heard)
{
  g_free (heard->id);
  g_assert_finalize_object (form);
}

static void
test_spin (void)
{
  Heard        heard;
  SlParamForm *form = make_form (&heard);
  SlParamRow  *row = sl_param_form_row (form, "rate");
  GtkWidget   *spin = sl_control (row);

  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, "0.01");
  gtk_editable_set_text (GTK_EDITABLE (spin), "3e-4");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  g_assert_cmpstr (heard.id, ==, "rate");
  g_assert_cmpfloat (heard.value.v[0], ==, 3e-4);
  g_assert_cmpuint (heard.finals, ==, 1);

  gtk_editable_set_text (GTK_EDITABLE (spin), " 0,02 ");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  g_assert_cmpfloat (heard.value.v[0], ==, 0.02);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, "0.02");
  gtk_editable_set_text (GTK_EDITABLE (spin), "0.0003");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  heard.edits = 1;

  /* A value that is none says so and changes nothing. */
  gtk_editable_set_text (GTK_EDITABLE (spin), "fast");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  gtk_editable_set_text (GTK_EDITABLE (spin), "7");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  g_assert_cmpuint (heard.refusals, ==, 2);
  g_assert_cmpuint (heard.edits, ==, 1);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (sl_control (row))), ==, 3e-4);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (spin)), ==, "0.0003");
  drop_form (form, &heard);
}

/* A row that is asked for late shows what the form was told before. */
static void
test_late (void)
{
  Heard        heard;
  SlParamForm *form = make_form (&heard);
  SlSettings   settings;
  int          rate = sl_param_find (params, N_PARAMS, "rate");
  SlParamRow  *row;

  sl_settings_default (&settings, params, N_PARAMS);
  settings.value[rate].v[0] = 0.5;
  sl_param_form_show (form, &settings);
  sl_param_form_set_rules (form, NULL, NULL, (const char *const[]) { "rate", NULL });
  g_assert_false (sl_param_form_has_row (form, "rate"));
  row = sl_param_form_row (form, "rate");
  g_assert_true (sl_param_form_has_row (form, "rate") && sl_param_form_row (form, "rate") == row);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (sl_control (row))), ==, "0.5");
  g_assert_true (sl_param_row_is_changed (row));
  g_assert_true (sl_param_row_is_locked (row));
  g_assert_false (sl_param_form_has_row (form, "count"));
  g_assert_cmpuint (heard.edits, ==, 0);
  drop_form (form, &heard);
}

/* What only a program can choose is shown while a run has it, and not offered. */
static void
test_programs (void)
{
  Heard        heard;
  SlParamForm *form = make_form (&heard);
  SlSettings   settings;
  int          colour = sl_param_find (params, N_PARAMS, "colour");
  GtkDropDown *choices = GTK_DROP_DOWN (sl_control (sl_param_form_row (form, "colour")));
  GListModel  *titles = gtk_drop_down_get_model (choices);

  sl_settings_default (&settings, params, N_PARAMS);
  for (unsigned i = 0; i < 4; i++)
    {
      settings.value[colour].v[0] = i % 2 == 0 ? 0 : 2;
      sl_param_form_show (form, &settings);
      g_assert_cmpuint (g_list_model_get_n_items (titles), ==, i % 2 == 0 ? 2 : 3);
      g_assert_cmpuint (gtk_drop_down_get_selected (choices), ==, i % 2 == 0 ? 0 : 2);
    }
  g_assert_cmpuint (heard.edits, ==, 0);
  gtk_drop_down_set_selected (choices, 1);
  g_assert_cmpuint (heard.edits, ==, 1);
  g_assert_cmpfloat (heard.value.v[0], ==, 1);
  g_assert_cmpuint (g_list_model_get_n_items (titles), ==, 2);
  g_assert_cmpuint (gtk_drop_down_get_selected (choices), ==, 1);
  g_assert_cmpuint (sl_param_form_set_search (form, "program"), ==, 0);
  drop_form (form, &heard);
}

/* What a network of the data replaces is not offered beside it. */
static void
test_data_needs (void)
{
  const SlLab             *lab = sl_lab_find ("selective-execution");
  SlParamForm             *form = g_object_ref_sink (g_object_new (SL_TYPE_PARAM_FORM, NULL));
  SlDataset                plain = { 0 }, own = { .facts = "boxed network" };
  SlSettings               settings;
  static const char *const replaced[] = { "low", "high", "width", "modules" };

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_param_form_build (form, lab->params, lab->n_params, &settings);
  for (unsigned i = 0; i < G_N_ELEMENTS (replaced); i++)
    {
      GtkWidget *row = GTK_WIDGET (sl_param_form_row (form, replaced[i]));

      sl_param_form_set_data (form, &plain);
      g_assert_true (gtk_widget_get_visible (row));
      sl_param_form_set_data (form, &own);
      g_assert_false (gtk_widget_get_visible (row));
      g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_param_form_row (form, "lambda"))));
      sl_param_form_set_data (form, NULL);
      g_assert_true (gtk_widget_get_visible (row));
    }
  g_assert_finalize_object (form);
}

/* A list of one is a number; of several, a comma parts them. */
static void
test_comma (void)
{
  static const struct
  {
    const char *typed, *number;
  } numbers[] = { { "0,5", "0.5" },     { " -1,25e-3 ", "-1.25e-3" }, { "0.5", "0.5" },
                  { "1,2,3", "1,2,3" }, { "1,000.5", "1,000.5" },     { "", "" } };
  GtkWidget   *spin = g_object_ref_sink (gtk_spin_button_new_with_range (0, 10, 0.01));
  Heard        heard;
  SlParamForm *form = make_form (&heard);
  SlParamRow  *theta = sl_param_form_row (form, "theta");
  SlSettings   settings;

  for (unsigned i = 0; i < G_N_ELEMENTS (numbers); i++)
    {
      g_autofree char *text = sl_field_dup_number (numbers[i].typed);

      g_assert_cmpstr (text, ==, numbers[i].number);
    }
  sl_settings_default (&settings, params, N_PARAMS);
  settings.value[6].n = settings.value[7].n = settings.value[5].n = 1;
  sl_settings_settle (&settings, params, N_PARAMS);
  sl_param_form_show (form, &settings);
  gtk_editable_set_text (GTK_EDITABLE (sl_control (theta)), "0,75");
  g_signal_emit_by_name (sl_control (theta), "activate");
  g_assert_cmpuint (heard.value.n, ==, 1);
  g_assert_cmpfloat (heard.value.v[0], ==, 0.75);
  drop_form (form, &heard);

  gtk_spin_button_set_numeric (GTK_SPIN_BUTTON (spin), TRUE);
  sl_field_take_comma (GTK_SPIN_BUTTON (spin));
  gtk_editable_set_text (GTK_EDITABLE (spin), "2,5");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)), ==, 2.5);
  gtk_editable_set_text (GTK_EDITABLE (spin), "2,5,5");
  gtk_spin_button_update (GTK_SPIN_BUTTON (spin));
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (spin)), ==, 2.5);
  g_assert_finalize_object (spin);
}

static gboolean
is_final (gpointer data)
{
  return ((Heard *) data)->finals == 1;
}

static void
test_slider (void)
{
  Heard        heard;
  SlParamForm *form = make_form (&heard);
  SlParamRow  *row = sl_param_form_row (form, "rate");
  GtkRange    *slider = GTK_RANGE (sl_param_row_get_scale (row, 0));

  g_assert_cmpfloat_with_epsilon (gtk_range_get_value (slider), -2.0, 1e-12);
  gtk_range_set_value (slider, -3.0);
  g_assert_cmpuint (heard.edits, ==, 1);
  g_assert_cmpuint (heard.finals, ==, 0);
  g_assert_cmpfloat_with_epsilon (heard.value.v[0], 1e-3, 1e-12);
  gtk_range_set_value (slider, -3.01);
  g_assert_cmpfloat (heard.value.v[0], ==, 0.000977);
  sl_wait (is_final, &heard);
  g_assert_cmpuint (heard.edits, ==, 3);

  /* What the program shows is no edit. */
  sl_param_row_set_value (row, &(SlValue) { .n = 1, .v = { 0.1 } });
  g_assert_cmpfloat_with_epsilon (gtk_range_get_value (slider), -1.0, 1e-12);
  g_assert_cmpuint (heard.edits, ==, 3);

  /* A logarithmic count can be zero. */
  row = sl_param_form_row (form, "count");
  slider = GTK_RANGE (sl_param_row_get_scale (row, 0));
  gtk_range_set_value (slider, gtk_adjustment_get_lower (gtk_range_get_adjustment (slider)));
  g_assert_cmpfloat (heard.value.v[0], ==, 0);
  gtk_range_set_value (slider, gtk_adjustment_get_upper (gtk_range_get_adjustment (slider)));
  g_assert_cmpfloat (heard.value.v[0], ==, 1000);
  drop_form (form, &heard);
}

typedef struct
{
  double   value;
  unsigned finals;
} Released;

static void
on_released (SlParamForm *form, const char *id, SlValue *value, gboolean final, Released *released)
{
  released->value = value->v[0];
  released->finals += final;
}

static gboolean
is_released (gpointer released)
{
  return ((Released *) released)->finals > 0;
}

/* While a slider that restarts the run is held, the run goes on with its old value: what the form is
 * told meanwhile does not take the slider out of the hand.  */
static void
test_held (void)
{
  const SlLab *lab = sl_lab_find ("prefix-tree");
  SlParamForm *form = g_object_ref_sink (g_object_new (SL_TYPE_PARAM_FORM, NULL));
  Released     released = { 0 };
  SlSettings   settings;
  SlParamRow  *row;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_param_form_build (form, lab->params, lab->n_params, &settings);
  g_signal_connect (form, "edited", G_CALLBACK (on_released), &released);
  row = sl_param_form_row (form, "k");
  gtk_range_set_value (GTK_RANGE (sl_param_row_get_scale (row, 0)), 7.0);
  g_assert_cmpuint (released.finals, ==, 0);
  sl_param_form_show (form, &settings);
  g_assert_cmpfloat (gtk_range_get_value (GTK_RANGE (sl_param_row_get_scale (row, 0))), ==, 7.0);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (sl_control (row))), ==, 7.0);
  sl_wait (is_released, &released);
  g_assert_cmpfloat (released.value, ==, 7.0);
  /* From then on it is the run's again. */
  sl_param_form_show (form, &settings);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (sl_control (row))), ==, 4.0);
  g_assert_finalize_object (form);
}

/* Where further does nothing the slider ends; the entry still takes it. */
static void
test_reach (void)
{
  const SlLab   *lab = sl_lab_find ("experts");
  SlParamForm   *form = g_object_ref_sink (g_object_new (SL_TYPE_PARAM_FORM, NULL));
  SlSettings     settings;
  SlParamRow    *row;
  GtkAdjustment *slider;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_set (&settings, lab->params, lab->n_params, "experts", "8");
  sl_settings_set (&settings, lab->params, lab->n_params, "k", "2");
  sl_param_form_build (form, lab->params, lab->n_params, &settings);
  row = sl_param_form_row (form, "k");
  slider = gtk_range_get_adjustment (GTK_RANGE (sl_param_row_get_scale (row, 0)));
  g_assert_cmpfloat (gtk_adjustment_get_upper (slider), ==, 8.0);
  sl_settings_set (&settings, lab->params, lab->n_params, "k", "12");
  sl_param_form_show (form, &settings);
  g_assert_cmpfloat (gtk_adjustment_get_value (slider), ==, 8.0);
  g_assert_cmpfloat (gtk_spin_button_get_value (GTK_SPIN_BUTTON (sl_control (row))), ==, 12.0);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (sl_control (row))), ==, "12");
  sl_settings_set (&settings, lab->params, lab->n_params, "experts", "16");
  sl_param_form_show (form, &settings);
  g_assert_cmpfloat (gtk_adjustment_get_upper (slider), ==, 16.0);
  g_assert_cmpfloat (gtk_adjustment_get_value (slider), ==, 12.0);
  g_assert_finalize_object (form);
}

static void
test_choice_and_flag (void)
{
  Heard        heard;
  SlParamForm *form = make_form (&heard);
  SlParamRow  *colour = sl_param_form_row (form, "colour");
  SlParamRow  *flag = sl_param_form_row (form, "flag");
  SlSettings   settings;

  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (flag)));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (sl_control (colour)), 1);
  g_assert_cmpstr (heard.id, ==, "colour");
  g_assert_cmpfloat (heard.value.v[0], ==, 1);
  sl_settings_default (&settings, params, N_PARAMS);
  settings.value[3] = heard.value;
  sl_param_form_show (form, &settings);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (flag)));
  gtk_switch_set_active (GTK_SWITCH (sl_control (flag)), TRUE);
  g_assert_cmpstr (heard.id, ==, "flag");
  g_assert_cmpfloat (heard.value.v[0], ==, 1);
  drop_form (form, &heard);
}

static void
test_lists (void)
{
  Heard        heard;
  SlParamForm *form = make_form (&heard);
  SlParamRow  *layers = sl_param_form_row (form, "layers");
  SlParamRow  *ranks = sl_param_form_row (form, "ranks");
  SlParamRow  *theta = sl_param_form_row (form, "theta");
  GtkWidget   *entry = sl_control (layers);
  SlSettings   settings;

  /* A list of free length is text; one that follows it has a slider per element. */
  g_assert_null (sl_param_row_get_scale (layers, 0));
  g_assert_nonnull (sl_param_row_get_scale (ranks, 1));
  g_assert_null (sl_param_row_get_scale (ranks, 2));
  gtk_editable_set_text (GTK_EDITABLE (entry), "5-6-7");
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpstr (heard.id, ==, "layers");
  g_assert_cmpuint (heard.value.n, ==, 3);

  sl_settings_default (&settings, params, N_PARAMS);
  settings.value[5] = heard.value;
  sl_settings_settle (&settings, params, N_PARAMS);
  sl_param_form_show (form, &settings);
  g_assert_nonnull (sl_param_row_get_scale (ranks, 2));
  gtk_range_set_value (GTK_RANGE (sl_param_row_get_scale (ranks, 2)), log10 (101.0));
  g_assert_cmpstr (heard.id, ==, "ranks");
  g_assert_cmpfloat (heard.value.v[2], ==, 100);
  g_assert_cmpfloat (heard.value.v[0], ==, 3);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (sl_control (ranks))), ==, "3-4-100");

  /* Elements below 0 and fractions, by a slider and as text. */
  gtk_range_set_value (GTK_RANGE (sl_param_row_get_scale (theta, 1)), -1.75);
  g_assert_cmpstr (heard.id, ==, "theta");
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (sl_control (theta))), ==,
                   "-0.5/-1.75/-0.5");
  gtk_editable_set_text (GTK_EDITABLE (sl_control (theta)), "0.25,-1e-3,0");
  g_signal_emit_by_name (sl_control (theta), "activate");
  g_assert_cmpfloat (heard.value.v[1], ==, -1e-3);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (sl_control (theta))), ==, "0.25/-0.001/0");
  gtk_editable_set_text (GTK_EDITABLE (sl_control (theta)), "0,5/-0,25/1");
  g_signal_emit_by_name (sl_control (theta), "activate");
  g_assert_cmpuint (heard.value.n, ==, 3);
  g_assert_cmpfloat (heard.value.v[0], ==, 0.5);
  g_assert_cmpfloat (heard.value.v[1], ==, -0.25);
  g_assert_cmpuint (heard.refusals, ==, 0);

  gtk_editable_set_text (GTK_EDITABLE (entry), "5-x");
  g_signal_emit_by_name (entry, "activate");
  g_assert_cmpuint (heard.refusals, ==, 1);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, "5-6-7");
  drop_form (form, &heard);
}

static GtkWidget *
revert_of (SlParamRow *row)
{
  return GTK_WIDGET (gtk_widget_get_template_child (GTK_WIDGET (row), SL_TYPE_PARAM_ROW, "revert"));
}

static int
height_of (gpointer widget)
{
  int natural;

  gtk_widget_measure (widget, GTK_ORIENTATION_VERTICAL, 240, NULL, &natural, NULL, NULL);
  return natural;
}

/* The row is no higher with the arrow than without. */
static void
test_revert (void)
{
  Heard        heard;
  SlParamForm *form = make_form (&heard);
  SlParamRow  *row = sl_param_form_row (form, "noise");
  int          height = height_of (row);

  g_assert_false (gtk_widget_get_child_visible (revert_of (row)));
  gtk_range_set_value (GTK_RANGE (sl_param_row_get_scale (row, 0)), 0.8);
  g_assert_true (gtk_widget_get_child_visible (revert_of (row)));
  g_assert_cmpint (height_of (row), ==, height);
  g_signal_emit_by_name (revert_of (row), "clicked");
  g_assert_cmpfloat (heard.value.v[0], ==, 0.5);
  g_assert_false (gtk_widget_get_child_visible (revert_of (row)));
  drop_form (form, &heard);
}

static void
test_every_lab (void)
{
  for (unsigned i = 0; sl_labs[i] != NULL; i++)
    {
      const SlLab *lab = sl_labs[i];
      SlParamForm *form = g_object_ref_sink (g_object_new (SL_TYPE_PARAM_FORM, NULL));
      GtkWindow   *window;
      SlSettings   settings;

      sl_settings_default (&settings, lab->params, lab->n_params);
      sl_param_form_build (form, lab->params, lab->n_params, &settings);
      for (unsigned p = 0; p < lab->n_params; p++)
        {
          SlParamRow *row = sl_param_form_row (form, lab->params[p].id);

          g_assert_nonnull (row);
          g_assert_true (gtk_widget_is_ancestor (GTK_WIDGET (row), GTK_WIDGET (form)));
          g_assert_false (gtk_widget_get_child_visible (revert_of (row)));
          g_assert_cmpint (gtk_widget_get_visible (GTK_WIDGET (row)), ==,
                           sl_param_matters (&settings, lab->params, lab->n_params, p));
        }
      window = sl_show (GTK_WIDGET (form), 316, 600);
      sl_assert_named (GTK_WIDGET (form));
      gtk_window_destroy (window);
      g_assert_finalize_object (form);
    }
}

static void
on_text (gpointer source, const char *text, char **heard)
{
  g_free (*heard);
  *heard = g_strdup (text);
}

static void
on_seeded (SlRunGroup *group, guint64 seed, guint64 *heard)
{
  *heard = seed;
}

static void
test_data_group (void)
{
  SlDataGroup *group = g_object_ref_sink (g_object_new (SL_TYPE_DATA_GROUP, NULL));
  SlRunGroup  *run = g_object_ref_sink (g_object_new (SL_TYPE_RUN_GROUP, NULL));
  GtkWidget   *seed = sl_child (run, "seed");
  char        *spec = NULL, *refusal = NULL;
  guint64      seeded = 0;
  unsigned     last;

  g_signal_connect (group, "chosen", G_CALLBACK (on_text), &spec);
  g_signal_connect (group, "refused", G_CALLBACK (on_text), &refusal);
  g_signal_connect (run, "seeded", G_CALLBACK (on_seeded), &seeded);
  g_signal_connect (run, "refused", G_CALLBACK (on_text), &refusal);
  sl_run_group_show (run, 1, 0);
  for (unsigned i = 0; sl_sources[i] != NULL; i++)
    {
      if (sl_sources[i]->available != NULL && !sl_sources[i]->available ())
        continue;
      sl_data_group_show (group, sl_sources[i]->id, NULL, NULL);
      g_assert_null (spec);
      for (unsigned p = 0; p < sl_sources[i]->n_params; p++)
        g_assert_nonnull (sl_param_form_row (SL_PARAM_FORM (sl_child (group, "options")),
                                             sl_sources[i]->params[p].id));
      sl_assert_named (GTK_WIDGET (group));
    }

  /* Choosing another one names it; the last two items ask for a file or a folder and change nothing. */
  sl_data_group_show (group, "moons", NULL, NULL);
  last = g_list_model_get_n_items (
           gtk_drop_down_get_model (GTK_DROP_DOWN (sl_child (group, "sources"))))
         - 1;
  gtk_drop_down_set_selected (GTK_DROP_DOWN (sl_child (group, "sources")), 0);
  g_assert_cmpstr (spec, ==, sl_sources[0]->id);
  g_clear_pointer (&spec, g_free);
  sl_data_group_show (group, "moons", NULL, NULL);
  for (guint asks = last - 1; asks <= last; asks++)
    {
      gtk_drop_down_set_selected (GTK_DROP_DOWN (sl_child (group, "sources")), asks);
      g_assert_null (spec);
      g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (sl_child (group, "sources"))), <,
                        last - 1);
    }

  /* A file in use has an item of its own. */
  sl_data_group_show (group, "/somewhere/images.csv", NULL, NULL);
  g_assert_cmpuint (gtk_drop_down_get_selected (GTK_DROP_DOWN (sl_child (group, "sources"))), ==,
                    last - 1);

  /* What else there is to say stands behind the facts. */
  sl_data_group_show (group, "moons", NULL, "Little data.");
  g_assert_true (
    g_str_has_suffix (gtk_label_get_label (GTK_LABEL (sl_child (group, "facts"))), "Little data."));

  gtk_editable_set_text (GTK_EDITABLE (seed), "18446744073709551615");
  g_signal_emit_by_name (seed, "activate");
  g_assert_cmpuint (seeded, ==, G_MAXUINT64);
  gtk_editable_set_text (GTK_EDITABLE (seed), "-3");
  g_signal_emit_by_name (seed, "activate");
  g_assert_nonnull (refusal);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (seed)), ==, "1");
  g_free (spec);
  g_free (refusal);
  g_assert_finalize_object (group);
}

/* Those that are used and not changed. */
static void
check_shares (SlParamForm *form, const char *valid, const char *test)
{
  SlParamRow *row[] = { sl_param_form_row (form, "valid"), sl_param_form_row (form, "test") };

  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (sl_control (row[0]))), ==, valid);
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (sl_control (row[1]))), ==, test);
  g_assert_false (sl_param_row_is_changed (row[0]));
  g_assert_false (sl_param_row_is_changed (row[1]));
}

/* The options of a file are those of its kind; a text can be read by another alphabet, and so can
 * what was no text.  */
static void
test_file_options (void)
{
  SlDataGroup     *group = g_object_ref_sink (g_object_new (SL_TYPE_DATA_GROUP, NULL));
  SlParamForm     *form = SL_PARAM_FORM (sl_child (group, "options"));
  g_autofree char *path = NULL, *expected = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  char      *spec = NULL;
  SlDataset *dataset;
  SlStatus   status;
  int        file = g_file_open_tmp ("sluice-XXXXXX.txt", &path, NULL);

  for (unsigned i = 0; i < 40; i++)
    g_string_append (text, "And it came to pass. ");
  g_assert_true (g_file_set_contents (path, text->str, -1, NULL));
  g_close (file, NULL);
  g_signal_connect (group, "chosen", G_CALLBACK (on_text), &spec);
  status = sl_source_open (path, &dataset);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (dataset->classes, ==, 27);
  sl_data_group_show (group, path, dataset, NULL);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (form)));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_param_form_row (form, "text"))));
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_param_form_row (form, "valid"))));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (sl_param_form_row (form, "standardise"))));
  check_shares (form, "0.04", "0.01");
  sl_data_group_show (group, dataset->id, dataset,
                      NULL); /* as it is named when the program starts again */
  check_shares (form, "0.04", "0.01");
  sl_data_group_show (group, path, dataset, NULL);
  sl_dataset_free (dataset);

  g_signal_emit_by_name (form, "edited", "text", &(SlValue) { .n = 1, .v = { 3.0 } }, TRUE);
  expected = g_strdup_printf ("%s:", path);
  g_assert_true (g_str_has_prefix (spec, expected));
  status = sl_source_open (spec, &dataset);
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (dataset->classes, ==, 256);
  sl_data_group_show (group, spec, dataset, NULL);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (sl_param_form_row (form, "text"))));
  g_clear_pointer (&spec, g_free);
  g_signal_emit_by_name (form, "edited", "valid", &(SlValue) { .n = 1, .v = { 0.2 } }, TRUE);
  g_assert_nonnull (strstr (spec, "valid=0.2"));
  g_assert_nonnull (strstr (spec, "text=bytes"));
  sl_dataset_free (dataset);

  /* A folder is split by its files. */
  g_assert_cmpint (g_unlink (path), ==, 0);
  sl_data_group_show (group, g_get_tmp_dir (), NULL, NULL);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (form)));
  g_free (spec);
  g_assert_finalize_object (group);
}

int
main (int argc, char **argv)
{
  sl_ui_init (&argc, &argv);
  g_test_add_func ("/ui/param/spin", test_spin);
  g_test_add_func ("/ui/param/late", test_late);
  g_test_add_func ("/ui/param/programs", test_programs);
  g_test_add_func ("/ui/param/comma", test_comma);
  g_test_add_func ("/ui/param/data-needs", test_data_needs);
  g_test_add_func ("/ui/param/slider", test_slider);
  g_test_add_func ("/ui/param/held", test_held);
  g_test_add_func ("/ui/param/reach", test_reach);
  g_test_add_func ("/ui/param/choice-and-flag", test_choice_and_flag);
  g_test_add_func ("/ui/param/lists", test_lists);
  g_test_add_func ("/ui/param/revert", test_revert);
  g_test_add_func ("/ui/param/every-lab", test_every_lab);
  g_test_add_func ("/ui/param/data-group", test_data_group);
  g_test_add_func ("/ui/param/file-options", test_file_options);
  return g_test_run ();
}
