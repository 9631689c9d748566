/* SPDX-License-Identifier: MIT
 *
 * What data lead to, in a few lines.  */
#include <glib/gi18n.h>
#include <math.h>

#include "core/data/routing/routing.h"
#include "core/run/base/language.h"
#include "core/run/import/private.h"

enum { LISTED = 12, BLOCK = 1024 };

/* ---- examples ---- */

/* "anna 80 · bert 79 · carl 81" */
static char *
count_classes (const SlDataset *dataset)
{
  g_autofree size_t *n = g_new0 (size_t, dataset->classes);
  GString           *text = g_string_new (NULL);

  for (size_t i = 0; i < dataset->n[SL_TRAIN]; i++)
    n[dataset->label[i]]++;
  for (unsigned c = 0; c < dataset->classes && c < LISTED; c++)
    if (dataset->class_title != NULL)
      g_string_append_printf (text, "%s%s: %zu", c > 0 ? " · " : "", dataset->class_title[c], n[c]);
    else
      g_string_append_printf (text, "%s%u: %zu", c > 0 ? " · " : "", c, n[c]);
  if (dataset->classes > LISTED)
    g_string_append (text, " …");
  return g_string_free (text, FALSE);
}

static void
lead_examples (GPtrArray *facts, const SlDataset *dataset)
{
  sl_import_add (facts, _ ("Examples"),
                 g_strdup_printf (_ ("%zu to train, %zu to validate, %zu to test"),
                                  dataset->n[SL_TRAIN], dataset->n[SL_VALID], dataset->n[SL_TEST]));
  if (dataset->stream)
    {
      sl_import_add (facts, _ ("Symbols"), g_strdup_printf ("%u", dataset->classes));
      return;
    }
  if (dataset->width > 0)
    sl_import_add (facts, _ ("Pictures"),
                   g_strdup_printf (_ ("%u × %u × %u pixels"), dataset->width, dataset->height,
                                    dataset->channels));
  else
    sl_import_add (facts, _ ("Features"), g_strdup_printf ("%u", dataset->features));
  sl_import_add (facts, _ ("Training examples of each class"), count_classes (dataset));
}

/* ---- recordings ---- */

static void
count_tokens (const SlRouting *routing, uint64_t *load)
{
  g_autofree uint16_t *ids = g_new (uint16_t, (gsize) BLOCK * routing->k);
  size_t               tokens = routing->layer[0].tokens;

  for (size_t first = 0, n; first < tokens; first += n)
    {
      SlStatus status;

      n = MIN (tokens - first, BLOCK);
      status = sl_routing_read (routing, 0, true, first, n, ids, NULL);
      for (size_t i = 0; i < n * routing->k && sl_ok (&status); i++)
        if (ids[i] < routing->experts)
          load[ids[i]]++;
    }
}

/* √variance ÷ mean of the loads of the first layer, and how many are 0. */
static double
spread (const SlRouting *routing, unsigned *unused)
{
  unsigned             n = routing->experts;
  g_autofree uint64_t *load = g_new0 (uint64_t, n);
  double               sum = 0.0, squares = 0.0, mean;

  if (routing->kind == SL_ROUTING_IDS)
    count_tokens (routing, load);
  else
    for (size_t i = 0; i < routing->rows * n; i++)
      load[i % n] += routing->layer[0].counts[i];
  *unused = 0;
  for (unsigned e = 0; e < n; e++)
    {
      sum += (double) load[e];
      *unused += load[e] == 0;
    }
  mean = sum / n;
  for (unsigned e = 0; e < n; e++)
    squares += ((double) load[e] - mean) * ((double) load[e] - mean);
  return mean > 0.0 ? sqrt (squares / n) / mean : 0.0;
}

static void
lead_routing (GPtrArray *facts, const SlRouting *routing)
{
  char     name[64];
  unsigned unused;
  double   cv = spread (routing, &unused);

  sl_import_add (facts, _ ("Layers"), g_strdup_printf ("%u", routing->n_layers));
  sl_import_add (facts, _ ("Experts"),
                 routing->k > 0
                   /* Translators: how many experts there are, and how many a token goes to. */
                   ? g_strdup_printf (_ ("%u, %u for each token"), routing->experts, routing->k)
                   : g_strdup_printf ("%u", routing->experts));
  if (routing->kind == SL_ROUTING_IDS)
    sl_import_add (facts, _ ("Tokens"), g_strdup_printf ("%zu", routing->layer[0].tokens));
  sl_routing_layer_name (&routing->layer[0], name, sizeof name);
  {
    /* Translators: %s is the number of a layer. */
    g_autofree char *title = g_strdup_printf (_ ("Load spread (CV) of layer %s"), name);
    g_autofree char *dead = g_strdup_printf (
      ngettext ("%u expert is never used", "%u experts are never used", unused), unused);

    sl_import_add (facts, title,
                   unused > 0 ? g_strdup_printf ("%.3f; %s", cv, dead)
                              : g_strdup_printf (_ ("%.3f; every expert is used"), cv));
  }
}

void
sl_import_lead (SlImport *import, const SlDataset *dataset)
{
  if (dataset->routing != NULL)
    lead_routing (import->facts, dataset->routing);
  else if (dataset->pictures == NULL)
    lead_examples (import->facts, dataset);
}
