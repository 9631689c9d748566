/* SPDX-License-Identifier: MIT
 *
 * The picture that a run makes, asked for while it goes on.  */
#include <string.h>

#include "core/data/image/bitmap.h"
#include "core/lab/kit/state.h"
#include "core/run/session/session.h"
#include "tests/core/run/walk-lab.h"

static gboolean fails;

/* One pixel, as red as updates were made. */
static SlStatus
make_picture (SlLabState *state, SlBitmap *picture)
{
  SlStatus status = sl_bitmap_init (picture, "picture", 1, 1);

  if (!sl_ok (&status))
    return status;
  if (fails)
    {
      sl_bitmap_clear (picture);
      return sl_status_no_memory ("picture");
    }
  memset (picture->rgb, 0, 3);
  picture->rgb[0] = (uint8_t) state->now.t;
  return SL_SUCCESS;
}

static void
wait_for_steps (SlSession *session, uint64_t steps)
{
  while (sl_session_is_loading (session) || sl_session_info (session)->step < steps)
    g_main_context_iteration (NULL, TRUE);
}

static void
test_picture (void)
{
  g_autoptr (SlSession) session = sl_session_new ();
  SlLab            lab = sl_walk_lab;
  SlSettings       settings;
  SlBitmap         bitmap;
  g_autofree char *recipe = NULL;

  lab.picture = make_picture;
  sl_settings_default (&settings, lab.params, lab.n_params);
  sl_session_ask_picture (session); /* there is no run yet */
  g_assert_false (sl_session_take_picture (session, &bitmap, &recipe));
  sl_session_start (session, &lab, &settings, NULL, 1, FALSE);
  wait_for_steps (session, 0);
  sl_session_step (session);
  sl_session_step (session);
  wait_for_steps (session, 2);
  sl_session_ask_picture (session);
  sl_session_ask_picture (session); /* the newer one counts */
  while (!sl_session_take_picture (session, &bitmap, &recipe))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (bitmap.width, ==, 1);
  g_assert_cmpuint (bitmap.rgb[0], ==, 2);
  g_assert_nonnull (strstr (recipe, "\"step\": 2,"));
  sl_bitmap_clear (&bitmap);

  fails = TRUE;
  sl_session_ask_picture (session);
  while (sl_session_error (session) == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_nonnull (strstr (sl_session_error (session)->message, "picture"));
  fails = FALSE;
  sl_session_stop (session);
}

/* A lab that makes none is not asked. */
static void
test_none (void)
{
  g_autoptr (SlSession) session = sl_session_new ();
  SlSettings       settings;
  SlBitmap         bitmap;
  g_autofree char *recipe = NULL;

  sl_settings_default (&settings, sl_walk_lab.params, sl_walk_lab.n_params);
  sl_session_start (session, &sl_walk_lab, &settings, NULL, 1, FALSE);
  wait_for_steps (session, 0);
  sl_session_ask_picture (session);
  sl_session_step (session);
  wait_for_steps (session, 1);
  g_assert_false (sl_session_take_picture (session, &bitmap, &recipe));
  g_assert_null (sl_session_error (session));
  sl_session_stop (session);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/picture/picture", test_picture);
  g_test_add_func ("/picture/none", test_none);
  return g_test_run ();
}
