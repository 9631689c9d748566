/* SPDX-License-Identifier: MIT
 *
 * Everything a run has published so far, kept whole: the series, the last snapshot of
 * every other panel and the flags.  The window's session fills one on the main thread from its queue;
 * a headless run fills one directly.  Plots and exports read it.  Plain data, one thread.  */
#pragma once

#include <stdbool.h>

#include "core/lab/kit/clock.h"
#include "core/run/record/series.h"

/* Room for a packed text, and for what files have of it. */
enum { SL_CHANGE_MARKER_TEXT = SL_MESSAGE_SIZE, SL_CHANGE_MARKER_ENGLISH = 96 };

/* Something that the user changed while it ran. */
typedef struct
{
  double   step;                        /* the first update that it affects */
  unsigned number;                      /* from 1 */
  char     text[SL_CHANGE_MARKER_TEXT]; /* packed: "Rank 50-35-25 → 5-5-5" */
} SlChangeMarker;

typedef struct
{
  const SlLab    *lab; /* NULL: an empty record */
  SlLayout        layout;
  unsigned        generation;
  uint64_t        data;             /* hash of the data set (recipe.h); 0: none, or not known */
  SlSeries       *series;           /* (layout.n), empty for channels that are no series */
  SlSnapshot     *snapshot;         /* (lab->n_panels) */
  bool           *has_snapshot;     /* (lab->n_panels) */
  uint64_t       *snapshot_version; /* (lab->n_panels) goes up with every new snapshot */
  SlChangeMarker *flag;
  unsigned        n_flags, flags_capacity;
  SlTimes         times; /* of a forward pass under the settings of now; batch 0: not known (yet) */
  bool      stored;  /* of a run whose state is not there: what it does not have does not come */
  SlMessage caption; /* a note for every figure, as the lab's descriptor has it */
  double    report_every, evaluate_every; /* updates, by the settings of now; 0: not known */
} SlRecord;

/* An empty record for a run of `lab` under `settings`.  SL_ENOMEM. */
SlStatus sl_record_init (SlRecord *record, const SlLab *lab, const SlSettings *settings,
                         unsigned generation);
void     sl_record_clear (SlRecord *record);

/* A copy of the curves, snapshots and flags of a run under `settings`.  False when memory ran out: the copy is
 * empty.  */
bool sl_record_copy (SlRecord *copy, const SlRecord *record, const SlSettings *settings);

/* Appends a sample; one of another generation is dropped.  False when memory ran out. */
bool sl_record_take (SlRecord *record, const SlSample *sample);

/* Copies a snapshot in; the same rules. */
bool sl_record_show (SlRecord *record, const SlSnapshot *snapshot);

/* Takes the time of a forward pass, which shows in the lab's panel for it; one without a batch says that
 * none is known any more, since a setting was changed.  */
void sl_record_time (SlRecord *record, const SlTimes *times);

/* Adds a flag.  False when memory ran out. */
bool sl_record_mark (SlRecord *record, double step, const char *text);

/* The message (packed) for a change of a parameter: its title, then both values, choices by their
 * titles and numbers with the digits that matter.  Returns `text`.  */
const char *sl_change_marker_text (const SlParam *param, const SlValue *from, const SlValue *to,
                                   char text[SL_CHANGE_MARKER_TEXT]);

/* Drops samples and flags after `step`. */
void sl_record_truncate (SlRecord *record, double step);

/* A sink that writes straight into a record, for runs without a thread.  Surveys are
 * kept for every panel.  */
typedef struct
{
  SlSink     sink; /* first */
  SlRecord  *record;
  SlSnapshot scratch;
  bool       failed; /* memory ran out on the way */
} SlRecordSink;

void sl_record_sink_init (SlRecordSink *sink, SlRecord *record);
void sl_record_sink_clear (SlRecordSink *sink);
