/* SPDX-License-Identifier: MIT
 *
 * Graphs as JSON, a line for each node; see file.h.  */
#include "core/labs/selective-execution/math/file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The shortest text that reads back as the same number, with a point whatever the locale. */
static void
write_number (FILE *to, double number)
{
  char   text[32];
  double same = NAN;

  for (int digits = 6; digits <= 17 && same != number; digits++)
    {
      snprintf (text, sizeof text, "%.*g", digits, number);
      same = strtod (text, NULL);
    }
  for (char *c = text; *c != '\0'; c++)
    *c = *c == ',' ? '.' : *c;
  fputs (text, to);
}

static void
write_text (FILE *to, const char *text)
{
  fputc ('"', to);
  for (; *text != '\0'; text++)
    fprintf (to, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
  fputc ('"', to);
}

/* Scores of the classes stay that for other data. */
static void
write_units (FILE *to, size_t units, bool scores)
{
  if (scores)
    fputs ("\"classes\"", to);
  else
    fprintf (to, "%zu", units);
}

static void
write_layer (FILE *to, const SlDagLayer *layer, bool scores)
{
  const char *between = "";

  switch (layer->kind)
    {
    case SL_DAG_DENSE:
      fputs ("{\"dense\": ", to);
      write_units (to, layer->units, scores);
      break;
    case SL_DAG_CONV:
      fprintf (to, "{\"conv\": %zu", layer->units);
      if (layer->stride != 1)
        fprintf (to, ", \"stride\": %zu", layer->stride);
      break;
    case SL_DAG_POOL: fprintf (to, "{\"pool\": %zu", layer->stride); break;
    case SL_DAG_PLACE:
      fputs ("{\"place\": [", to);
      for (size_t c = 0; c < layer->units; c++)
        if (layer->places[c] != 0)
          {
            fprintf (to, "%s%zu", between, c);
            between = ", ";
          }
      fputc (']', to);
      break;
    case SL_DAG_RULE:
    case SL_DAG_ROUTER:
    case SL_DAG_GUESS:
    case SL_DAG_RANK:
    case SL_DAG_WEIGH: break; /* refused */
    }
  fputs (layer->rectified ? ", \"rectified\": true}" : "}", to);
}

static void
write_layers (FILE *to, const SlDagNode *node, size_t classes)
{
  if (node->n_layers == 0)
    return;
  fputs (",\n     \"layers\": [", to);
  for (unsigned l = 0; l < node->n_layers; l++)
    {
      const SlDagLayer *layer = &node->layer[l];

      fputs (l > 0 ? ", " : "", to);
      write_layer (to, layer,
                   node->kind == SL_DAG_REGULAR && l + 1 == node->n_layers && !layer->rectified
                     && layer->units == classes);
    }
  fputc (']', to);
}

static void
write_edge (FILE *to, const SlDagPlan *plan, const SlDagEdge *edge)
{
  const char *name = plan->node[edge->control ? edge->to : edge->from].name;

  if (!edge->has_fallback)
    {
      write_text (to, name);
      return;
    }
  fputs ("{\"from\": ", to);
  write_text (to, name);
  fputs (", \"default\": ", to);
  write_number (to, (double) edge->fallback);
  fputc ('}', to);
}

static void
write_edges (FILE *to, const SlDagPlan *plan, unsigned node, bool control)
{
  unsigned n = 0;

  for (unsigned e = 0; e < plan->n_edges; e++)
    {
      const SlDagEdge *edge = &plan->edge[e];

      if (edge->control != control || (control ? edge->from : edge->to) != node)
        continue;
      if (n++ == 0)
        fprintf (to, ",\n     \"%s\": [", control ? "actions" : "inputs");
      else
        fputs (", ", to);
      write_edge (to, plan, edge);
    }
  fputs (n > 0 ? "]" : "", to);
}

static void
write_node (FILE *to, const SlDagPlan *plan, unsigned i, const double *lane, size_t classes)
{
  static const char *const kinds[] = { [SL_DAG_INPUT] = "input",
                                       [SL_DAG_OUTPUT] = "output",
                                       [SL_DAG_REGULAR] = "regular",
                                       [SL_DAG_CONTROL] = "control",
                                       [SL_DAG_DUMMY] = "dummy" };
  const SlDagNode         *node = &plan->node[i];
  const SlDagShape        *shape = &node->shape;

  fputs ("    {\"name\": ", to);
  write_text (to, node->name);
  fprintf (to, ", \"kind\": \"%s\"", kinds[node->kind]);
  if (node->beside)
    fputs (", \"beside\": true", to);
  if (node->kind == SL_DAG_DUMMY)
    {
      if (shape->height == 1 && shape->width == 1)
        {
          fputs (", \"shape\": ", to);
          write_units (to, shape->channels, shape->channels == classes);
        }
      else
        fprintf (to, ", \"shape\": [%zu, %zu, %zu]", shape->channels, shape->height, shape->width);
      fputs (", \"value\": ", to);
      write_number (to, (double) node->value);
    }
  if (node->kind == SL_DAG_INPUT && plan->width > 0
      && (node->first != 0 || sl_dag_width (*shape) != plan->width))
    fprintf (to, ", \"part\": [%zu, %zu]", node->first, sl_dag_width (*shape));
  if (lane != NULL && isfinite (lane[i]))
    {
      fputs (", \"lane\": ", to);
      write_number (to, lane[i]);
    }
  write_layers (to, node, classes);
  write_edges (to, plan, i, false);
  write_edges (to, plan, i, true);
  fputs (i + 1 < plan->n_nodes ? "},\n" : "}\n", to);
}

static bool
has_rules (const SlDagPlan *plan)
{
  for (unsigned i = 0; i < plan->n_nodes; i++)
    for (unsigned l = 0; l < plan->node[i].n_layers; l++)
      if (plan->node[i].layer[l].kind == SL_DAG_RULE || plan->node[i].layer[l].kind == SL_DAG_RANK)
        return true;
  return false;
}

SlStatus
sl_dag_write (const SlDagPlan *plan, const double *lane, size_t classes, char **text)
{
  size_t size = 0;
  FILE  *to;
  bool   good;

  *text = NULL;
  if (has_rules (plan))
    return sl_status_new (SL_EUNSUPPORTED, "network",
                          sl_message ("exits by a threshold, or blocks for a share of a batch"),
                          sl_message ("controllers that decide"));
  to = open_memstream (text, &size);
  if (to == NULL)
    return sl_status_no_memory ("network");
  fputs ("{\n  \"sluice-network\": 1,\n  \"nodes\": [\n", to);
  for (unsigned i = 0; i < plan->n_nodes; i++)
    write_node (to, plan, i, lane, classes);
  fputs ("  ]\n}\n", to);
  good = ferror (to) == 0;
  if (fclose (to) == 0 && good)
    return SL_SUCCESS;
  free (*text);
  *text = NULL;
  return sl_status_no_memory ("network");
}
