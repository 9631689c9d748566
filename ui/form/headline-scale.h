/* SPDX-License-Identifier: MIT
 *
 * One of the three big sliders: s, rank or k of all labs of a group that have it, with its exact
 * value, what it means and what it moves.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/group/group.h"
#include "ui/form/scale.h"

G_BEGIN_DECLS

#define SL_TYPE_ROLE_SCALE (sl_role_scale_get_type ())
G_DECLARE_FINAL_TYPE (SlRoleScale, sl_role_scale, SL, ROLE_SCALE, GtkWidget)

/* The letter of a role: "s". */
const char *sl_role_symbol (SlRole role);

/* The group is borrowed for the widget's life. */
SlRoleScale *sl_role_scale_new (SlGroup *group, SlRole role);

/* Shows what the labs have now; their ranges may have changed too. */
void sl_role_scale_update (SlRoleScale *self);

/* Keeps room for every value, so that nothing beside the slider moves while it is dragged. */
void sl_role_scale_set_steady (SlRoleScale *self, gboolean steady);

/* Where there is little room, the words below the slider go. */
void sl_role_scale_set_brief (SlRoleScale *self, gboolean brief);

SlParamScale *sl_role_scale_get_scale (SlRoleScale *self);

/* The value as it stands beside the name. */
const char *sl_role_scale_get_text (SlRoleScale *self);

G_END_DECLS
