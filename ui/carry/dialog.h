/* SPDX-License-Identifier: MIT
 *
 * Choosing how the run that is shown is carried out of the window, as a web page or a film, and waiting for it.  */
#pragma once

#include <adwaita.h>

#include "core/run/session/session.h"
#include "ui/export/choice.h"

#define SL_TYPE_CARRY_DIALOG (sl_carry_dialog_get_type ())
G_DECLARE_FINAL_TYPE (SlCarryDialog, sl_carry_dialog, SL, CARRY_DIALOG, AdwWindow)

/* Who opens it. */
typedef struct
{
  gpointer data;

  /* Asks all that trains to rest; called until it says that nothing computes any more.  And lets it go on. */
  gboolean (*rest) (gpointer data);
  void (*go_on) (gpointer data);

  void (*saved) (gpointer data, const char *path);
} SlCarryHost;

/* Opens it over `parent`, which destroys it, for the run of a session that has made updates (a reference is taken), and
 * the plots that are shown; for a film or a page.  */
SlCarryDialog *sl_carry_dialog_open (GtkWindow *parent, SlSession *session,
                                     const SlExportPanels *shown, gboolean film, SlCarryHost host);

/* Begins to make what is chosen now for a path, as after the file dialog; what is wrong is said in the dialog, which
 * closes when the file is there.  */
void     sl_carry_dialog_save (SlCarryDialog *self, const char *path);
gboolean sl_carry_dialog_is_busy (SlCarryDialog *self);
