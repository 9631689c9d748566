/* SPDX-License-Identifier: MIT
 *
 * Controllers of what stands around the plots.  */
#pragma once

#include "ui/window/services/services.h"

/* ---- actions.c: actions that have no state of their own: running, settings, data, the look ---- */

void sl_window_add_actions (SlWindow *self);

/* A row of a plot was clicked, or its mark moved: sets the parameter that the panel names. */
void sl_window_pick (SlWindow *self, guint panel, guint number);
void sl_window_drag (SlWindow *self, guint panel, double value);

/* ---- away.c: the start page rests while the window is not looked at ---- */

void sl_window_add_away (SlWindow *self);
void sl_window_drop_away (SlWindow *self);

/* ---- banners.c.  Actions: put-back, before-trouble, take-offer ---- */

void sl_window_add_banners (SlWindow *self);
void sl_window_drop_banners (SlWindow *self);
void sl_window_health_closed (SlWindow *self); /* the user closed that banner, */
void sl_window_offer_closed (SlWindow *self);  /* or this one */

/* ---- classroom.c: what a class is offered, as the preferences say from now on ---- */

void sl_window_follow_classroom (SlWindow *self);

/* ---- overview.c: the start page.  Actions: glance, closer, role ---- */

void sl_window_add_overview (SlWindow *self);

/* Opens on the start page with this group (a reference is taken), instead of on the session. */
void sl_window_set_group (SlWindow *self, SlGroup *group);

/* Shows the start page; its group begins now if there is none yet. */
void sl_window_show_overview (SlWindow *self);

/* ---- pace.c: how fast the shown runs train.  Action: pace ---- */

void sl_window_add_pace (SlWindow *self);

/* ---- pair.c: two runs side by side.  Actions: twin, twin-side ---- */

void sl_window_add_pair (SlWindow *self);
void sl_window_drop_pair (SlWindow *self);

/* ---- layout.c ----
 *
 * The size of the window: what a narrow one leaves out, how large its type is, and the window
 * before an audience, with large type, thick lines, the sliders that matter, on all of a screen;
 * the picture of the lab alone.  Actions: sidebar, front, present, present-second, type-larger, type-smaller, type-usual.  */
void sl_window_add_layout (SlWindow *self);
void sl_window_watch_layout (SlWindow *self); /* with the template there */
void sl_window_drop_layout (SlWindow *self);

/* The window has another size, or its type has. */
void sl_window_fit_size (SlWindow *self, int width, int height);
void sl_window_fit_type (SlWindow *self);
void sl_window_flapped (SlWindow *self); /* of the template: the sidebar came or went */

/* Shows or hides the sidebar as width, preference and presentation would have it. */
void sl_window_fold (SlWindow *self);

/* The plots come back where the picture is alone; FALSE: it is not. */
gboolean sl_window_leave_front (SlWindow *self);

/* The preferences get the size that the next window is to have. */
void sl_window_remember_size (SlWindow *self);
