/* SPDX-License-Identifier: MIT
 *
 * Graphs as JSON, written by hand: docs/file-formats.md says how one looks.  What comes from a file
 * is bounded in every size.  */
#pragma once

#include "core/labs/selective-execution/math/dag.h"

enum {
  SL_DAG_NAME = 24,     /* bytes of a node's name, with its end */
  SL_DAG_PLACES = 16,   /* layers that place */
  SL_DAG_CLASSES = 256, /* outputs of such a layer */
};

/* What a plan from a file borrows, and its place in the file. */
typedef struct
{
  char     name[SL_DAG_NODES][SL_DAG_NAME];
  uint32_t line[SL_DAG_NODES];
  double   lane[SL_DAG_NODES]; /* how far down a picture, 0 … 1; not a number: not said */
  unsigned n_places;
  uint8_t  places[SL_DAG_PLACES][SL_DAG_CLASSES];
} SlDagFile;

/* Reads a graph for examples of this shape and so many classes, which `file` then has to outlive.
 * SL_EFORMAT with the line and the key of what is refused; sl_dag_check() is left to the caller.  */
SlStatus sl_dag_read (SlDagPlan *plan, SlDagFile *file, const char *text, size_t length,
                      SlDagShape input, size_t classes);

/* The text of a plan, so that reading it gives the same plan again; `lane` (n_nodes) may be NULL.
 * free() frees.  SL_EUNSUPPORTED for rules, which are no part of such files; SL_ENOMEM.  */
SlStatus sl_dag_write (const SlDagPlan *plan, const double *lane, size_t classes, char **text);
