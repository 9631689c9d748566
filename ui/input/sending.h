/* SPDX-License-Identifier: MIT
 *
 * What is drawn goes to the networks with the frames of a widget.  */
#pragma once

#include <gtk/gtk.h>

#include "core/run/own/own.h"

/* Sends it with the next frame of a widget, and with those that follow until nothing was drawn in one.  At most once a
 * frame, however often it is called.  */
void sl_own_send_soon (SlOwn *own, GtkWidget *widget);
