/* SPDX-License-Identifier: MIT
 *
 * A value that was moved or typed in a form goes to the run.  */
#pragma once

#include "core/run/session/session.h"

/* Sets a value that a row of a form of `shown` emitted; what the run has already is left alone, and what restarts it
 * waits for the end of a drag.  FALSE: it was refused, and `error` says why.  */
gboolean sl_setting_edit (SlSession *session, const SlLab *shown, const char *id,
                          const SlValue *value, gboolean final, GError **error);
