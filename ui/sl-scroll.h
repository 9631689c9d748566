/* SPDX-License-Identifier: MIT
 *
 * Controls inside a scrolled page must not take the wheel: who scrolls past a
 * slider does not mean to move it.  */
#pragma once

#include <gtk/gtk.h>

/* Lets scroll events pass through `widget` to the page around it. */
void sl_scroll_pass (GtkWidget *widget);
