/* SPDX-License-Identifier: MIT
 *
 * Networks of choices.  What is read as a graph and passes its check can be carved, its static nets can
 * be made, and it is written as a file that reads as the same graph.  */
#include <stdlib.h>
#include <string.h>

#include "core/data/text/text.h"
#include "core/labs/selective-execution/math/file.h"
#include "tests/fuzz/input.h"

enum { CLASSES = 10 };

static const SlDagShape shape = { 1, 6, 6 };

static void
check_failure (const SlStatus *status)
{
  char text[1024];

  /* SL_EUNSUPPORTED: a newer version wrote it. */
  fuzz_require (status->code == SL_EFORMAT || status->code == SL_EINVAL || status->code == SL_ENOMEM
                || status->code == SL_EUNSUPPORTED);
  fuzz_require (status->subject[0] != '\0');
  sl_status_text (status, text, sizeof text);
  fuzz_require (sl_utf8_valid (text, strlen (text)));
}

/* Without memory: how much it would take. */
static void
measure (const SlDagPlan *plan, const SlDagFacts *facts)
{
  static SlDag dag;
  SlArena      kept = { 0 }, scratch = { 0 };

  memset (&dag, 0, sizeof dag);
  sl_dag_carve (&dag, plan, facts, 8, &kept, &scratch);
  fuzz_require (dag.n < (size_t) 1 << 48 && kept.used < (size_t) 1 << 52
                && scratch.used < (size_t) 1 << 52);
}

static void
check_same (const SlDagPlan *a, const SlDagPlan *b)
{
  fuzz_require (a->n_nodes == b->n_nodes && a->n_edges == b->n_edges);
  for (unsigned i = 0; i < a->n_nodes; i++)
    {
      const SlDagNode *x = &a->node[i], *y = &b->node[i];

      fuzz_require (strcmp (x->name, y->name) == 0 && x->kind == y->kind
                    && x->n_layers == y->n_layers && x->beside == y->beside);
      fuzz_require (
        x->kind != SL_DAG_DUMMY
        || (memcmp (&x->shape, &y->shape, sizeof x->shape) == 0 && x->value == y->value));
      for (unsigned l = 0; l < x->n_layers; l++)
        fuzz_require (x->layer[l].kind == y->layer[l].kind && x->layer[l].units == y->layer[l].units
                      && x->layer[l].rectified == y->layer[l].rectified);
    }
}

static void
check_graph (const SlDagPlan *plan, const SlDagFile *file)
{
  static SlDagPlan  fixed, again;
  static SlDagFile  file_again;
  static SlDagFacts facts, fixed_facts;
  SlStatus          status = sl_dag_check (plan, &facts);
  char             *text;

  if (sl_ok (&status))
    {
      measure (plan, &facts);
      sl_dag_fix (plan, &facts, facts.dearest, &fixed);
      status = sl_dag_check (&fixed, &fixed_facts);
    }
  if (!sl_ok (&status))
    check_failure (&status);
  status = sl_dag_write (plan, file->lane, CLASSES, &text);
  fuzz_require (sl_ok (&status));
  status = sl_dag_read (&again, &file_again, text, strlen (text), shape, CLASSES);
  /* A small file may be a large one as we write it. */
  fuzz_require (sl_ok (&status) || strlen (text) >= 1 << 16);
  if (sl_ok (&status))
    check_same (plan, &again);
  free (text);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  static SlDagPlan plan;
  static SlDagFile file;
  SlStatus         status = sl_dag_read (&plan, &file, (const char *) data, size, shape, CLASSES);

  if (sl_ok (&status))
    check_graph (&plan, &file);
  else
    check_failure (&status);
  return 0;
}
