/* SPDX-License-Identifier: MIT
 *
 * The one place where a status of the core becomes a GError.  */
#pragma once

#include <glib.h>

#include "core/base/status.h"

G_BEGIN_DECLS

/* The code of an error in this domain is the SlCode. */
#define SL_ERROR (sl_error_quark ())
GQuark sl_error_quark (void);

/* The sentence of the status as an error; the caller frees it. */
GError *sl_status_to_error (const SlStatus *status);

/* TRUE for a good status; else sets *error (unless NULL) and returns FALSE. */
gboolean sl_status_good (const SlStatus *status, GError **error);

/* Sets *error (unless NULL) and returns FALSE, for `return sl_fail (…)`.  Texts as in
 * sl_status_new().  */
gboolean sl_fail (GError **error, SlCode code, const char *subject, const char *found,
                  const char *expected);

G_END_DECLS
