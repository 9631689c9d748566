/* SPDX-License-Identifier: MIT
 *
 * A few small runs side by side, one of each lab that has a headline: they take turns on the cores,
 * share one data set and one seed, and are steered as one.  For the main thread.
 *
 * Signal "changed": a session changed, or the value of a role did.  */
#pragma once

#include <glib-object.h>

#include "core/run/session/session.h"

G_BEGIN_DECLS

#define SL_TYPE_GROUP (sl_group_get_type ())
G_DECLARE_FINAL_TYPE (SlGroup, sl_group, SL, GROUP, GObject)

/* Sessions that have nothing to do yet. */
SlGroup *sl_group_new (void);

/* Every run from now on is written into `store` (sl_session_set_store()); NULL: none. */
void sl_group_set_store (SlGroup *group, SlStore *store);

/* A run that session i is to go on with, as sl_session_resume(), or to begin again if it has no name (only
 * its recipe counts then); what is in `run` is taken over.  Before sl_group_start().  */
void sl_group_set_stored (SlGroup *group, unsigned i, SlStoredRun *run, gboolean go);

/* Begins all runs, those that are not stored with the headlines' settings, and lets them go if `run`.  Labs without data
 * begin at once, the others when `spec` (NULL: the default) is read.  Once only.  */
void sl_group_start (SlGroup *group, const char *spec, uint64_t seed, gboolean run);

unsigned   sl_group_size (SlGroup *group);
SlSession *sl_group_session (SlGroup *group, unsigned i); /* borrowed */

/* The lab of a session, from before it began. */
const SlLab *sl_group_lab (SlGroup *group, unsigned i);

void sl_group_run (SlGroup *group);
void sl_group_pause (SlGroup *group);
void sl_group_step (SlGroup *group);                   /* one update each, then pause */
void sl_group_leave (SlGroup *group, gint64 deadline); /* as sl_session_leave() */
void sl_group_ask_to_stop (SlGroup *group);

/* All again from step 0 with the settings of now, those that are being loaded too. */
void sl_group_restart (SlGroup *group, uint64_t seed);

/* Some session is running. */
gboolean sl_group_is_running (SlGroup *group);

/* The seed of runs begun now. */
uint64_t sl_group_seed (SlGroup *group);

/* The first failure of a session, or NULL. */
const GError *sl_group_error (SlGroup *group);
void          sl_group_clear_errors (SlGroup *group);

/* Leaves one session alone at work, for a closer look; NULL: those that it made pause go on.  */
void sl_group_focus (SlGroup *group, SlSession *session);

/* Session i is at work, or will be when no other is looked at. */
gboolean sl_group_goes (SlGroup *group, unsigned i);

/* What can be said of a role: its range over all labs that have it, and its value. */
typedef struct
{
  double   lo, hi, step, value;
  gboolean logarithmic, whole;
} SlHeadlineRange;

/* FALSE when no lab has the role. */
gboolean sl_group_headline (SlGroup *group, SlHeadline headline, SlHeadlineRange *range);

/* Sets the parameter of this role in every lab that has one, each as near as its own range allows;
 * every element of a list, within what it follows.  Runs that are still being loaded get it when they are there.  */
void sl_group_set_headline (SlGroup *group, SlHeadline headline, double value);

/* The parameter of session i with this role, or -1. */
int sl_group_param (SlGroup *group, unsigned i, SlHeadline headline);

G_END_DECLS
