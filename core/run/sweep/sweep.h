/* SPDX-License-Identifier: MIT
 *
 * A sweep: the same lab under many settings and seeds, on one kind of data or on several.  This is the pure part: its
 * axes, as text and as JSON, and the list of its runs.  The list is the same on every machine, and
 * each run has a name made from what it takes to make it, so that parts can be run in different
 * places, and a part that was done is not done again.
 *
 * Plain data, one thread.  */
#pragma once

#include <glib.h>

#include "core/lab/lab.h"
#include "core/run/headless/plan.h"

enum {
  SL_SWEEP_AXES_MAX = 8, /* of points that are drawn */
  SL_SWEEP_GRID_AXES = 4,
  SL_SWEEP_VALUES_MAX = 1000, /* of an axis, seeds, and data */
  SL_SWEEP_JOBS_MAX = 100000,
  SL_SWEEP_ID = 37, /* bytes of a name with its terminator */
};

/* A parameter and the values that it takes; or the presets of the lab, by their places among them. */
typedef struct
{
  unsigned param; /* its place in the lab, and behind the last one: presets */
  unsigned n;
  SlValue *value;       /* (n), each once; owned.  Of a range its two ends */
  bool     range;       /* of numbers, to draw from: from value[0] to value[1] */
  bool     logarithmic; /* ratios have equal chances there, not differences */
} SlSweepAxis;

/* How the points come about. */
typedef enum {
  SL_SWEEP_GRID,   /* every combination of the axes' values */
  SL_SWEEP_RANDOM, /* each axis drawn on its own */
  SL_SWEEP_LATIN, /* a Latin hypercube: each axis cut into as many strata of equal chance as there are points, and
                    * each stratum drawn from once */
  SL_N_SWEEP_WAYS,
} SlSweepHow;

typedef struct
{
  const SlLab *lab;
  SlSettings   settings; /* of every run but for the axes */
  char        *data;     /* specification, owned; NULL for labs that need none */
  GPtrArray   *also;     /* of char *, each once: every run on each of these data too; owned */
  SlSweepAxis  axis[SL_SWEEP_AXES_MAX];
  unsigned     n_axes;
  SlSweepHow   how;
  unsigned     points; /* to draw; 0 of a grid */
  uint64_t     draw;   /* seed of the draws */
  GArray      *seeds;  /* of uint64_t, each once */
  SlBudget     budget; /* of each run */
  const SlOwnGate           *
    own; /* a gate that a program brings to all of them, borrowed; NULL: none.  No text has it, nor the names of
                         * the runs */
  const char *note; /* static: what an earlier version's text names and is gone; NULL: nothing */
} SlSweep;

/* The note on sweeps that an earlier version pruned. */
extern const char sl_sweep_unpruned[];

/* One run of a sweep. */
typedef struct
{
  unsigned   number;                /* from 0, in the whole sweep */
  unsigned   at[SL_SWEEP_AXES_MAX]; /* index of the value on each axis */
  unsigned   data;                  /* 0: the sweep's `data`; i: the i-th of `also`, from 1 */
  uint64_t   seed;
  SlBudget   budget; /* that of the sweep, unless a caller makes it another one */
  SlSettings settings;
  char       id[SL_SWEEP_ID]; /* a UUID made from lab, settings, data, seed and budget */
} SlSweepJob;

/* A sweep without axes over seed 1: the lab's defaults on the data it is usually shown with. */
void sl_sweep_init (SlSweep *sweep, const SlLab *lab);
void sl_sweep_clear (SlSweep *sweep);
void sl_sweep_copy (SlSweep *to, const SlSweep *from); /* `to` needs clearing afterwards */

/* How many data there are, at least 1, and what those of this number are: a specification, or NULL. */
unsigned    sl_sweep_n_data (const SlSweep *sweep);
const char *sl_sweep_data (const SlSweep *sweep, unsigned number);

/* What an axis varies: "k", or "preset" for the place after the last setting. */
const char *sl_sweep_axis_id (const SlLab *lab, unsigned param);
/* The title of an axis. */
const char *sl_sweep_axis_title (const SlLab *lab, unsigned param);
/* The place of an id, or -1. */
int sl_sweep_axis_find (const SlLab *lab, const char *id);

/* The parameter that reads and writes its values: that of the lab, or for presets a choice among them,
 * *choices, which the caller frees with g_free().  */
SlParam sl_sweep_axis_param (const SlLab *lab, unsigned param, SlChoice **choices);

/* The settings where each axis a has its value number at[a]: what any of its presets changes as by
 * default, what this one changes, then what the other axes say.  */
SlSettings sl_sweep_settings (const SlSweep *sweep, const unsigned *at);

/* Adds an axis from "ID=VALUES".  VALUES are separated by commas and as sl_param_parse() reads
 * them (5,10 or 50-35-25,25-25-25 or noisy,balanced), or a range lo:hi:n of n values at equal
 * distances, with "log" behind the n at equal ratios (1:64:7log).  Whole numbers are rounded, and
 * what then comes twice is taken once.  "preset=quick,paper" goes through presets of the lab.  A second axis for the same parameter replaces the first.
 * FALSE with a sentence; the sweep is as before.  */
gboolean sl_sweep_add_axis (SlSweep *sweep, const char *text, GError **error);

/* Draws points from axes that are added from now on, instead of taking every combination: "random" or "latin", so many,
 * with this seed.  An axis is then "ID=lo:hi" (at equal ratios where the parameter is logarithmic; ":log" or ":lin"
 * behind it says which), "ID" alone for all that the parameter can be, or a list of values as above, of which each has
 * the same chance.  "grid": every combination again.  FALSE with a sentence.  */
gboolean sl_sweep_set_sample (SlSweep *sweep, const char *how, unsigned points, uint64_t draw,
                              GError **error);

const char *sl_sweep_how_id (SlSweepHow how);

/* What a lab suggests under this id, or NULL. */
const SlSweepHint *sl_sweep_hint (const SlLab *lab, const char *id);

/* Adds the axes of a suggestion and sets its settings, seeds and budget; the second its settings
 * alone.  FALSE with a sentence only where a descriptor is wrong.  */
gboolean sl_sweep_suggest (SlSweep *sweep, const SlSweepHint *hint, GError **error);
gboolean sl_sweep_hint_settings (const SlSweepHint *hint, const SlLab *lab, SlSettings *settings,
                                 GError **error);

/* Adds data to those that every setting is run on; nothing where they are among them already.  FALSE with a sentence for
 * too many.  */
gboolean sl_sweep_add_data (SlSweep *sweep, const char *data, GError **error);

/* Sets the seeds from "1-5", "7" or "1,2,10-12". */
gboolean sl_sweep_set_seeds (SlSweep *sweep, const char *text, GError **error);

/* The same as text, every value written out, as the two above read it; free with g_free(). */
char *sl_sweep_axis_text (const SlSweep *sweep, unsigned axis);
char *sl_sweep_seeds_text (const SlSweep *sweep);

/* How many runs it is; of drawn points at most, as one that is drawn twice is made once. */
guint64 sl_sweep_count (const SlSweep *sweep);

/* FALSE with a sentence when there is no budget, there are too many runs, or the data cannot be
 * those of the lab.  */
gboolean sl_sweep_check (const SlSweep *sweep, GError **error);

/* The same where a run would have a number beyond its reach, as k of more experts than there are; not of a sweep that is
 * stored.  */
gboolean sl_sweep_check_reach (const SlSweep *sweep, GError **error);

/* Every run, of SlSweepJob, seed by seed so that each seed completes the picture; within a seed
 * data by data, and within those the last axis goes round fastest.  The sweep should be checked.  Free with g_array_unref().  */
GArray *sl_sweep_expand (const SlSweep *sweep);

/* Reads "2/3", the second of three shards. */
gboolean sl_sweep_read_shard (const char *text, unsigned *shard, unsigned *shards, GError **error);

/* Keeps of `jobs` every shards-th from the shard-th (from 1) on: shards take turns, so that each
 * has cheap and dear ones, and together they are all jobs once.  */
void sl_sweep_shard (GArray *jobs, unsigned shard, unsigned shards);

/* How many of `n` runs, in the order of their sweep, make a row of a table: the first ones that have
 * the value of some parameter in common which later ones do not have.  0 when there is no such
 * parameter, or the last row would not be full.  */
unsigned sl_sweep_row (const SlLab *lab, const SlSettings *const *run /* (n) */, unsigned n);

/* The sweep as JSON, and back.  Values are texts, as on a command line; parameters that are not
 * named have their defaults.  FALSE with a sentence for bad JSON, an unknown lab or parameter, a
 * value out of range, or what sl_sweep_check() refuses; *sweep then needs no clearing.  */
char    *sl_sweep_write (const SlSweep *sweep);
gboolean sl_sweep_read (const char *json, SlSweep *sweep, GError **error);

/* The name of the run that these make; `data` as in SlSweep. */
void sl_sweep_name (const SlLab *lab, const SlSettings *settings, const char *data, uint64_t seed,
                    const SlBudget *budget, char id[SL_SWEEP_ID]);
