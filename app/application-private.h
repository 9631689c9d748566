/* SPDX-License-Identifier: MIT
 *
 * The inside of the program, for application.c (its life, actions and preferences) and windows.c (what its windows
 * begin with).  */
#pragma once

#include "app/application.h"
#include "app/launch.h"
#include "core/run/store/store.h"

struct _SlApplication
{
  AdwApplication parent_instance;

  SlPrefs   *prefs;
  SlLaunch   launch;
  SlSession *first; /* started before the toolkit was, until a window takes it */
  SlGroup
    *group; /* of the start page, where the command line chose no other page, until it begins */
  SlStore *store;     /* of all runs, or NULL */
  GError  *no_store;  /* why not, or what happened to it */
  char    *workspace; /* what the last window showed, or NULL */
  SlDriver driver;    /* drives the program instead of the user; none where `begin` is NULL */
  guint    interrupt, terminate, hangup; /* sources of signals; 0: not watched */
  guint    unpainted;                    /* source, while the first frame is waited for */
  unsigned left; /* sessions with threads that are still at work at the end */
};

/* What windows.c has. */

/* Opens the store and starts what the first window will show, which needs no display. */
void sl_application_prepare_first (SlApplication *self);
/* The first window, with what was prepared. */
void sl_application_open_first (SlApplication *self);
/* Another one, as a later command line says. */
void sl_application_open_another (SlApplication *self, const SlLaunch *launch);

/* Brings a window to the front, before an audience where the command line says so. */
void sl_application_present (SlWindow *window, const SlLaunch *launch);
