/* SPDX-License-Identifier: MIT
 *
 * Waiting for what the main loop brings.  */
#pragma once

#include <glib.h>

/* Runs the main loop until the condition holds; fails the test after half a minute. */
#define WAIT(condition)                                                                            \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 end_ = g_get_monotonic_time () + 30 * G_USEC_PER_SEC;                                   \
                                                                                                   \
    while (!(condition))                                                                           \
      {                                                                                            \
        g_assert_cmpint (g_get_monotonic_time (), <, end_);                                        \
        g_main_context_iteration (NULL, FALSE);                                                    \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END
