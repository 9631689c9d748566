/* SPDX-License-Identifier: MIT
 *
 * Asking for a file to open, or for a name to save under.  */
#pragma once

#include <gtk/gtk.h>

typedef void (*SlFileChosen) (gpointer data, const char *text);

typedef struct
{
  const char *title;
  const char *name; /* proposed; NULL: a file that exists is opened */

  /* Files that are offered: "Images", "*.png *.jpg"; NULL: all.  What is saved under a name with another
   * ending gets the first of these.  */
  const char *kind, *pattern;
  const char *accept; /* label of the button; NULL: "Open" or "Save" */
  const char *path;   /* chosen at first, or NULL */
  gboolean    modal;
  gboolean    folder; /* one that exists is opened; name and kind are NULL */
} SlFileQuestion;

/* Opens a dialog over `parent`, unless one is open already, and calls `chosen` with the path; or
 * `refused` (unless NULL) with a sentence, where the file is not on this computer or would be
 * overwritten without a question.  `*dialog` is the one that is open, for its owner to drop when it
 * ends, or NULL.  */
void sl_file_dialog_open (GtkFileChooserNative **dialog, GtkWindow *parent,
                          const SlFileQuestion *question, SlFileChosen chosen, SlFileChosen refused,
                          gpointer data);

/* The name that such a path is saved under, for the caller to free; NULL where it had to be ended and a
 * file has that name, as only the dialog asks about writing over.  */
char *sl_file_dialog_ended (const char *path, const char *pattern);
