/* SPDX-License-Identifier: MIT
 *
 * Sluice as a library: labs, runs, sweeps, figures and recorded routing, for programs in C and for the Python module
 * `sluice`, which is made of this header alone.
 *
 *   SluiceRun *run;
 *   if (sluice_run_new (&(SluiceRunSpec) { .lab = "experts", .settings = "k=2", .seed = 1 }, &run) == SLUICE_FINE
 *       && sluice_run_train (run, &(SluiceUntil) { .updates = 1000 }, NULL, NULL) == SLUICE_FINE)
 *     sluice_run_series (run, "cv.hard", &series);
 *   …
 *   sluice_run_free (run);
 *
 * Failures.  A function that can fail returns a code; sluice_error() then has a sentence with what was found, what was
 * expected and the way out.  What a function was to give is then NULL or 0, and nothing else has changed.
 *
 * Memory.  Texts and blocks that a function gives (`char **`, `void **`) are the caller's: sluice_free().  Texts are
 * UTF-8, numbers in them are written in the C locale.
 *
 * Threads.  Any thread may use an object, two not at the same time; different objects may be used at the same time.
 * Runs whose products have several threads take turns, update by update.  After a fork() the child's calls fail with
 * SLUICE_FORKED: the threads that multiply stayed behind.
 *
 * Same bytes.  With the same kernel (sluice_kernel()) and the same number of threads a run has the same bytes as by
 * sluice-cli or in the window.
 *
 * Numbers of updates count from 1; of examples, classes, experts and units in arrays from 0.  */
#ifndef SLUICE_H
#define SLUICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __GNUC__
#pragma GCC visibility push(default)
#endif

typedef enum {
  SLUICE_FINE = 0,
  SLUICE_INVALID = 1,     /* an argument, a setting, a word */
  SLUICE_IO = 2,          /* the system refused: missing, full, not allowed */
  SLUICE_FORMAT = 3,      /* a file or array is not what it should be */
  SLUICE_MEMORY = 4,      /* there is not enough, or more than a limit */
  SLUICE_DIVERGED = 5,    /* the loss is no longer finite; the run goes no further */
  SLUICE_UNSUPPORTED = 6, /* this lab, these data or this build cannot */
  SLUICE_STOPPED = 7,     /* the caller's `ask` said so; the run can go on */
  SLUICE_GATE = 8,        /* the caller's gate failed; the update was not made, the run can go on */
  SLUICE_FORKED = 9,      /* this process is a fork of one that used the library */
} SluiceCode;

/* ---- the library ---- */

/* "1.0.0".  Static. */
const char *sluice_version (void);

/* The sentence of this thread's last failure, in English; "" before the first one.  It holds until the next call. */
const char *sluice_error (void);

/* Frees what a function gave.  NULL is fine. */
void sluice_free (void *memory);

/* What OpenBLAS multiplies with here, "Haswell"; static.  And the value that the variable OPENBLAS_CORETYPE should have
 * before the library is loaded, where OpenBLAS has chosen a slower kernel, as sluice-cli chooses it; else NULL.  */
const char *sluice_kernel (void);
const char *sluice_kernel_wanted (void);

/* The lab of this id, or with NULL all of them, as JSON: parameters, panels, presets, suggested sweeps, as
 * `sluice-cli labs --json` has them.  SLUICE_INVALID: there is no such lab.  */
SluiceCode sluice_labs (const char *lab, char **json);

/* ---- data ---- */

typedef struct SluiceData SluiceData;

/* Memory of the caller's, of up to 8 axes.  */
typedef struct
{
  const char     *name; /* "X"; what it means is read from it, as from a name in a file */
  char            type; /* 'f' reals, 'i' integers, 'u' naturals, 'b' truths of a byte, 'U' texts */
  unsigned        size; /* bytes of a number: 1, 2, 4 or 8; of a text in UTF-32 */
  unsigned        axes;
  const uint64_t *shape;   /* (axes) */
  const int64_t  *strides; /* (axes) bytes from one to the next; NULL: in rows without gaps */
  const void     *numbers; /* in the order of this machine's bytes; texts without gaps */
} SluiceArray;

/* Opens what a specification names, as after --data: "moons", "fashion-mnist", "table.csv:valid=0.2".  */
SluiceCode sluice_data_open (const char *specification, SluiceData **data);

/* Makes data of arrays, read as if they were the members of an .npz: examples "X" with classes "y", or a recording of
 * routing ("router_logits", "topk_ids", …).  `options` are those of a file, "valid=0.2 test=0.1" or "k=8 experts=64";
 * NULL: none.  Examples and numbers of experts are copied, in the type that they are kept in.  Scores of experts as floats
 * of 4 bytes in rows without gaps, (tokens, experts) or (layers, tokens, experts), are not: they have to stay as they are
 * until the data, and all runs with them, are freed.  SLUICE_FORMAT: names that say nothing, other axes or types, numbers
 * that are not finite, more than 2^31 numbers, negative strides.  */
SluiceCode sluice_data_arrays (const SluiceArray *arrays, unsigned n, const char *options,
                               SluiceData **data);

/* As JSON: id, title, kind, hash, sizes of the splits, features and whether they are standardised, classes, and under
 * "reading" how it was read, what was left out and what else it could be.  */
SluiceCode sluice_data_about (const SluiceData *data, char **json);

/* All that a recording of routing says by itself, as `sluice-cli trace --json` prints it; `options` are those of that
 * command, "window=256 cache=8", or NULL.  SLUICE_UNSUPPORTED: data of another kind.  */
SluiceCode sluice_data_report (const SluiceData *data, const char *options, char **json);

/* Runs that were made with it keep what they need. */
void sluice_data_free (SluiceData *data);

/* ---- a gate of one's own ---- */

/* One batch.  Letters: B rows, n experts.  The memory is the library's. */
typedef struct
{
  size_t       rows, experts;
  int          training; /* 0: the network is looked at */
  const float *logits;   /* (B, n) */
  uint8_t     *mask;     /* (B, n) zeros: set to 1 where an expert is to work on a row */
  float *weights;  /* (B, n) zeros: its values where `weighted` is set, not read outside the mask */
  int    weighted; /* 0: they are the softmax over the chosen logits, whose gradient is known */
} SluiceGateBatch;

/* Called on the thread that trains, times or looks at the network, once a batch: in a sweep on several at a time.  It may not
 * call the library.  */
typedef struct
{
  /* Chooses.  Not 0: it failed. */
  int (*choose) (void *data, SluiceGateBatch *batch);

  /* dloss/dlogits (B, n) of the last batch in training from dloss/dweights (B, n), zeros outside the mask.  Needed where
   * `weighted` is set, else NULL.  Not 0: it failed.  */
  int (*slopes) (void *data, size_t rows, size_t experts, const float *dweights, float *dlogits);

  void *data;
} SluiceGate;

/* ---- runs ---- */

typedef struct SluiceRun SluiceRun;

/* What a run is made of; zeros are as sluice-cli has them. */
typedef struct
{
  const char       *lab;
  const char       *settings; /* "k=4\nlearning-rate=0.01", one a line; NULL: the defaults */
  const SluiceData *data;     /* NULL: what the lab is usually shown with */
  uint64_t          seed;
  unsigned          threads; /* of products; 0: as was measured for the lab, or all */
  const SluiceGate *gate;    /* for a lab with a setting gate=own; copied; NULL: none */
} SluiceRunSpec;

/* Where training ends: whichever comes first; 0: no such limit.  Counted from where the run is. */
typedef struct
{
  uint64_t updates;
  double   epochs;  /* passes over the training examples */
  double   seconds; /* of training */
} SluiceUntil;

/* Asked between two updates, not more often than a hundred times a second; not 0 stops.  `share` of the way is done.  It may
 * look at the run and change live parameters, not train or free it.  */
typedef int (*SluiceAsk) (void *data, uint64_t update, double share);

/* A run before its first update. */
SluiceCode sluice_run_new (const SluiceRunSpec *spec, SluiceRun **run);

/* A run from its recipe before its first update: the recipe as JSON, or the path of a figure, page or export that has
 * one in it.  Its changes are made at their updates.  `data` NULL: those that it names, which must be the same.  `gate`: that of a
 * run with gate=own, else NULL.  */
SluiceCode sluice_run_again (const char *recipe, const SluiceData *data, const SluiceGate *gate,
                             SluiceRun **run);

void sluice_run_free (SluiceRun *run);

/* Trains.  `until` NULL: of a run from a recipe to where that was, else 2000 updates, or all of a lab that ends by
 * itself.  SLUICE_STOPPED, SLUICE_DIVERGED, SLUICE_GATE; what was measured until then is there.
 * SLUICE_GATE: the caller's gate failed.  The update was not made, unless it failed in an evaluation behind it, which
 * sluice_run_updates() tells; the run can go on in both cases.  */
SluiceCode sluice_run_train (SluiceRun *run, const SluiceUntil *until, SluiceAsk ask, void *data);

/* Changes a live parameter from the next update on; before the first one any parameter.  The recipe has the change. */
SluiceCode sluice_run_set (SluiceRun *run, const char *parameter, const char *value);

/* The value of a parameter as sluice_run_set() takes it. */
SluiceCode sluice_run_get (const SluiceRun *run, const char *parameter, char **value);

/* As JSON: lab, data, seed, threads, kernel, update, epochs, seconds, settings, changes, and channels and panels with their
 * titles and axes.  */
SluiceCode sluice_run_about (const SluiceRun *run, char **json);

/* Updates that were made. */
uint64_t sluice_run_updates (const SluiceRun *run);

/* Everything that was published under an id as "cv.hard" or "signs.recall.2"; the run's memory, until it trains on or is changed. */
typedef struct
{
  size_t        n;
  const double *update; /* (n) */
  const double *value;  /* (n) not-a-number: a gap */
} SluiceSeries;

SluiceCode sluice_run_series (const SluiceRun *run, const char *channel, SluiceSeries *series);

/* A panel that is measured when it is looked at, as it is now.  `json` says what the numbers are: curves, each with its
 * title and its place among them, or a matrix (tiles, depth, rows, columns) with the names of rows and columns, and the
 * axes.  The n numbers are the caller's: sluice_free().  SLUICE_UNSUPPORTED: it has nothing to show, or is made of
 * series.  */
SluiceCode sluice_run_panel (SluiceRun *run, const char *panel, char **json, double **numbers,
                             size_t *n);

/* Whom the picture of the network shows from now on: n numbers of an own input (an image: ink from 0 to 1, row by row;
 * a plane: x and y), or with n = 0 the validation example of this number.  */
SluiceCode sluice_run_look_at (SluiceRun *run, const float *input, size_t n, unsigned example);

/* What a network does with one input. */
typedef struct
{
  uint64_t pattern;    /* units or experts that are on: bit i for number i < 63, else a hash */
  uint32_t top;        /* the expert, leaf or unit that counts most */
  uint32_t active;     /* how many are on */
  uint32_t label;      /* the class decided for */
  float    confidence; /* of the gate: 0, could be either way, to 1 */
  float    margin;     /* probability of `label` minus that of the next best class */
  float    cost;       /* multiplications */
  float    misjudged;  /* share of the gates that an estimate got wrong */
} SluiceCell;

/* Runs the network, as it would be deployed, on points (n, features) in the numbers of the data: of a table as it has them,
 * of images bytes, from 0 to 255, channel by channel and row by row.  cells (n).
 * SLUICE_UNSUPPORTED: the lab has no map; SLUICE_INVALID: other features; SLUICE_GATE.  On failure the cells say
 * nothing.  */
SluiceCode sluice_run_map (SluiceRun *run, const float *points, size_t n, size_t features,
                           SluiceCell *cells);

/* Figures on all test and all validation examples, as JSON: {"test": [{"id", "title", "unit", "value"} …], …}. */
SluiceCode sluice_run_scores (SluiceRun *run, char **json);

/* The time of a forward pass in % of the dense one, measured on the present weights, as JSON with its spread and batch;
 * null where the lab has no dense twin, or "busy" where the machine did too much else.  SLUICE_GATE.  */
SluiceCode sluice_run_time (SluiceRun *run, char **json);

/* All trainable numbers, in the order of the lab; the run's memory, until it trains on or is changed. */
SluiceCode sluice_run_weights (SluiceRun *run, const float **weights, size_t *n);

/* What makes the run again, as JSON, as every figure has it in itself. */
SluiceCode sluice_run_recipe (const SluiceRun *run, char **json);

/* Puts the run into a store, which is made if need be, or brings the run that is there up to date: the window and
 * sluice-cli list it and go on with it.  A run that cannot go on, kept where it is from, leaves what is there.  *id is its id
 * there, a UUID.  */
SluiceCode sluice_run_keep (SluiceRun *run, const char *store, char **id);

/* A web page of these panels (ids with spaces between them; NULL: those of the front page), whole in itself. */
SluiceCode sluice_run_page (SluiceRun *run, const char *panels, const char *path);

/* ---- figures ---- */

typedef struct SluiceFigure SluiceFigure;

/* Draws panels, or single curves by the ids of their channels ("cv.hard"), as they are now; NULL: the front page.
 * `looks` as sluice-cli takes them, one a line: "style=icml\nlegend=below"; NULL: as they come.  */
SluiceCode sluice_figure_new (SluiceRun *run, const char *panels, const char *looks,
                              SluiceFigure **figure);

/* Puts figures, of one run or of several, on one page, in this order; those stay, and share what they show with it: none
 * of them may be in use in two threads at a time.  The recipe is that of the first.  */
SluiceCode sluice_figure_join (SluiceFigure *const *figures, unsigned n, const char *looks,
                               SluiceFigure **figure);

/* The bytes of a figure as "svg", "png", "pdf", "tex", "py" or "csv". */
SluiceCode sluice_figure_bytes (const SluiceFigure *figure, const char *format, void **bytes,
                                size_t *n);

/* Writes it into a file, whole or not at all, in the format of the path's ending. */
SluiceCode sluice_figure_save (const SluiceFigure *figure, const char *path);

void sluice_figure_free (SluiceFigure *figure);

/* ---- sweeps ---- */

typedef struct SluiceSweep SluiceSweep;

/* A sweep of a lab; `gate` and `data` as of a run, `seed` is not read.  Axes: "k=1,2,4" or "learning-rate=0.001:0.1:5log",
 * one a line.  Seeds: "1-5".  */
SluiceCode sluice_sweep_new (const SluiceRunSpec *spec, const char *axes, const char *seeds,
                             const SluiceUntil *until, SluiceSweep **sweep);

/* How many runs it has. */
unsigned sluice_sweep_size (const SluiceSweep *sweep);

/* Makes those that are not made yet, `at_once` at a time, each with one thread; 0: one a core.  `store`: the path of a
 * store where they are kept and from where those that are there are taken, not with a gate of one's own; NULL: none.  `ask`
 * is called on the calling thread, at the end too; its `update` is the number of runs that are over.  SLUICE_STOPPED;
 * SLUICE_MEMORY without a thread.  A run that diverges or cannot be made is a row of the table and no failure.  */
SluiceCode sluice_sweep_make (SluiceSweep *sweep, unsigned at_once, const char *store,
                              SluiceAsk ask, void *data);

/* The runs that are over, as JSON: {"columns": [{"id", "title", "unit"} …], "rows": [[…] …]}, settings first, then seed,
 * update, status, the problem of one that failed, scores and costs; null where a run has none.  */
SluiceCode sluice_sweep_table (const SluiceSweep *sweep, char **json);

void sluice_sweep_free (SluiceSweep *sweep);

/* ---- stores ---- */

/* The runs of a store, as JSON: an array of objects with id (a UUID), name, status, step, figures, recipe and more, as
 * `sluice-cli runs --json` prints it.  `where` is a line as the page of runs and `sluice-cli runs` take it,
 * "lab = experts and k < 4"; NULL: all.  */
SluiceCode sluice_store_table (const char *store, const char *where, char **json);

/* A run of a store by name or the beginning of its id, with all that it published, to be looked at and to go on with;
 * the file stays as it is until sluice_run_keep().  `data` and `gate` as in sluice_run_again(): a run whose data are not
 * found, or whose gate is not given, is only looked at, and sluice_run_about() says why.  SLUICE_INVALID: `data` are others
 * than the run's.  */
SluiceCode sluice_store_run (const char *store, const char *name, const SluiceData *data,
                             const SluiceGate *gate, SluiceRun **run);

#ifdef __GNUC__
#pragma GCC visibility pop
#endif
#ifdef __cplusplus
}
#endif

#endif
