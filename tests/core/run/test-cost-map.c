/* SPDX-License-Identifier: MIT
 *
 * What is predicted before a run, on a machine that nobody has to time, and the map of where skipping
 * pays.  */
#include <math.h>
#include <string.h>

#include "core/labs/registry.h"
#include "core/run/cost/map.h"
#include "core/run/cost/trial.h"
#include "tests/support/even-machine.h"

static SlDataset *
data_of (const SlLab *lab)
{
  SlDataset *dataset;
  SlStatus   status = sl_cost_trial_data (lab, &dataset);

  g_assert_true (sl_ok (&status));
  return dataset;
}

static SlSettings
defaults (const SlLab *lab)
{
  SlSettings settings;

  sl_settings_default (&settings, lab->params, lab->n_params);
  sl_settings_settle (&settings, lab->params, lab->n_params);
  return settings;
}

/* The cell of the settings themselves has what is predicted of them. */
static void
check_map (const SlLab *lab, const SlCostModel *model)
{
  SlDataset            *dataset = data_of (lab);
  SlSettings            settings = defaults (lab);
  SlPrediction          share = sl_cost_share (model, lab, &settings, dataset);
  g_autofree SlCostMap *map = g_new (SlCostMap, 1);
  int                   x = sl_param_find (lab->params, lab->n_params, lab->even[0]);
  int                   y = sl_param_find (lab->params, lab->n_params, lab->even[1]);

  g_assert_cmpint (x, >=, 0);
  g_assert_cmpint (y, >=, 0);
  g_assert_true (sl_cost_map (model, lab, &settings, dataset, map));
  g_assert_cmpuint (map->columns, >=, 4);
  g_assert_cmpuint (map->rows, >=, 4);
  for (unsigned i = 1; i < map->columns; i++)
    g_assert_cmpfloat (map->x_value[i], >, map->x_value[i - 1]);
  for (unsigned i = 1; i < map->rows; i++)
    g_assert_cmpfloat (map->y_value[i], >, map->y_value[i - 1]);
  if (map->x_value[map->x_now] == settings.value[x].v[0] && settings.value[x].n == 1
      && settings.value[y].n == 1)
    g_assert_cmpfloat_with_epsilon (
      map->speed_up[(map->rows - 1 - map->y_now) * map->columns + map->x_now], 100 / share.seconds,
      1e-9);
  sl_dataset_free (dataset);
}

static void
test_maps (void)
{
  g_autoptr (SlCostModel) model = sl_even_machine ();
  unsigned maps = 0;

  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    if ((*lab)->even[0] != NULL)
      {
        check_map (*lab, model);
        maps++;
      }
  g_assert_cmpuint (maps, >=, 5);
}

/* Every point of the line lies between a cell that pays and one that does not. */
static void
test_line (void)
{
  const SlLab          *lab = sl_lab_find ("experts");
  SlDataset            *dataset = data_of (lab);
  SlSettings            settings = defaults (lab);
  g_autofree SlCostMap *map = g_new (SlCostMap, 1);
  g_autoptr (SlCostModel) model = sl_even_machine ();
  unsigned points = 0;

  g_assert_true (sl_cost_map (model, lab, &settings, dataset, map));
  for (unsigned i = 0; i < map->n; i++)
    if (isfinite (map->line_x[i]))
      {
        unsigned left = (unsigned) floor (map->line_x[i]) - 1,
                 right = (unsigned) ceil (map->line_x[i]) - 1;
        unsigned top = (unsigned) floor (map->line_y[i]) - 1,
                 below = (unsigned) ceil (map->line_y[i]) - 1;
        double a = map->speed_up[top * map->columns + left];
        double b = map->speed_up[below * map->columns + right];

        g_assert_true (left != right || top != below || a == 1);
        g_assert_cmpfloat (fmin (a, b), <=, 1);
        g_assert_cmpfloat (fmax (a, b), >=, 1);
        points++;
      }
  g_assert_cmpuint (points, >=, 2);
  sl_dataset_free (dataset);
}

/* Numbers as they are, and nothing where nothing is predicted. */
static void
test_table (void)
{
  SlParam          x = { .id = "k" }, y = { .id = "s" };
  SlCostMap        map = { .x = &x,
                           .y = &y,
                           .columns = 2,
                           .rows = 2,
                           .x_value = { 1, 2 },
                           .y_value = { 0.5, 0.7 },
                           .speed_up = { 1.25, NAN, 3, 0.5 } };
  g_autofree char *text = sl_cost_map_csv (&map);

  g_assert_cmpstr (text, ==, "k,s,speed-up\n1,0.7,1.25\n2,0.7,\n1,0.5,3\n2,0.5,0.5\n");
}

/* Nothing is mapped of a lab that names no parameters for it. */
static void
test_unmapped (void)
{
  const SlLab          *lab = sl_lab_find ("capacity");
  SlSettings            settings = defaults (lab);
  g_autofree SlCostMap *map = g_new (SlCostMap, 1);
  g_autoptr (SlCostModel) model = sl_even_machine ();

  g_assert_false (sl_cost_map (model, lab, &settings, NULL, map));
  g_assert_true (isnan (sl_cost_share (model, lab, &settings, NULL).seconds));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/cost/maps", test_maps);
  g_test_add_func ("/cost/line", test_line);
  g_test_add_func ("/cost/table", test_table);
  g_test_add_func ("/cost/unmapped", test_unmapped);
  return g_test_run ();
}
