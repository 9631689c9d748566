/* SPDX-License-Identifier: MIT
 *
 * The inside of the stage. */
#pragma once

#include <gio/gio.h>

#include "core/run/follow/growth.h"
#include "core/run/stage/stage.h"

/* A run that is made again from its recipe. */
typedef struct
{
  gboolean due; /* it is on its way */
  uint64_t limit, limit_before;
  unsigned before, generation; /* before that run, and of it or 0 */
  SlRecord stored;             /* its curves as they were stored, until they are taken */
  gboolean has_curves;
} SlStageStored;

typedef struct
{
  GCancellable *closing;
  SlOpened     *waiting; /* for the end of its run to be written, or NULL */
  guint         looking; /* timeout, or 0 */
} SlStageOpen;

struct _SlStage
{
  GObject parent;

  SlShown       shown;
  SlSession    *session;
  SlSession    *own;
  SlGrowth     *growth;   /* of the own session's recording */
  gboolean      own_held; /* goes on when it is shown again */
  SlSession    *lesson;
  gboolean      lesson_held;
  SlGroup      *group, *lesson_group;
  SlPair       *pair;
  SlSession    *behind; /* the pair */
  SlUnseen     *unseen;
  gboolean      trains_unseen, going_on; /* as the user prefers */
  SlStageOffers offers;                  /* or NULL: all labs are */
  gpointer      offering;
  SlStageStored stored;
  SlStageOpen   open;
};

enum {
  SL_STAGE_LEAVING,
  SL_STAGE_SHOWN,
  SL_STAGE_RESTARTED,
  SL_STAGE_STATE,
  SL_STAGE_PROGRESS,
  SL_STAGE_LOCKED,
  SL_STAGE_BEGIN_GROUP,
  SL_STAGE_OPENED,
  SL_N_STAGE_SIGNALS
};

/* stage.c: emits a signal and those that come after it. */
void     sl_stage_emit (SlStage *self, unsigned signal);
void     sl_stage_emit_opened (SlStage *self, SlOpened *opened);
gboolean sl_stage_emit_group (SlStage *self, SlGroup *group);

/* command.c: TRUE, with its signal, where the lab is not offered. */
gboolean sl_stage_is_locked (SlStage *self, const SlLab *lab);

/* show.c */
/* Brings the session and what it reports to where the own session, the group, … are; `session`: NULL where the
 * event says which.  */
void sl_stage_go (SlStage *self, SlStageEvent event, SlSession *session);
void sl_stage_begin_group (SlStage *self);
/* The own session has another run, or its run goes on. */
void sl_stage_own_changed (SlStage *self);
void sl_stage_connect (SlStage *self, SlSession *session);
void sl_stage_disconnect (SlStage *self);

/* stored.c */
void sl_stage_stored_begin (SlStage *self, const SlRecipe *recipe, SlRecord *stored);
/* The own session has another run. */
void sl_stage_stored_restarted (SlStage *self);
void sl_stage_stored_follow (SlStage *self);

/* open.c */
/* Goes on with the run that a lab had.  FALSE: it had none. */
gboolean sl_stage_return_to_lab (SlStage *self, const SlLab *lab);
void     sl_stage_open_clear (SlStage *self);
