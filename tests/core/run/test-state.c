/* SPDX-License-Identifier: MIT
 *
 * States as text: every lab under its defaults, presets and trials comes back from a line of at most 120
 * characters, and a line with one wrong character is refused.  */
#include <string.h>

#include "core/data/source/source.h"
#include "core/labs/registry.h"
#include "core/run/state/state.h"

static SlState
begin (const SlLab *lab)
{
  SlState state = { .lab = lab, .seed = 1, .panel = -1 };

  sl_settings_default (&state.settings, lab->params, lab->n_params);
  if (lab->data != SL_NEEDS_NOTHING)
    {
      const SlSource *source;
      SlSettings      settings;
      SlStatus        status
        = sl_source_parse (sl_source_default_for (lab->data), &source, &settings, NULL);

      g_assert_true (sl_ok (&status));
      sl_source_format (source, &settings, NULL, state.data, sizeof state.data);
    }
  return state;
}

static void
assert_comes_back (const SlState *state)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = sl_state_write (state, &error);
  SlState          back;

  g_assert_no_error (error);
  g_assert_cmpuint (strlen (text), <=, SL_STATE_MAX);
  sl_state_read (text, &back, &error);
  g_assert_no_error (error);
  g_assert_true (back.lab == state->lab);
  g_assert_true (sl_settings_same (&back.settings, &state->settings, state->lab->n_params));
  g_assert_cmpstr (back.data, ==, state->data);
  g_assert_cmpuint (back.seed, ==, state->seed);
  g_assert_cmpint (back.panel, ==, state->panel);
}

static void
test_presets (void)
{
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      SlState state = begin (*lab);

      assert_comes_back (&state);
      for (unsigned i = 0; i < sl_lab_n_presets (*lab); i++)
        {
          SlStatus status = sl_preset_settings (*lab, &(*lab)->presets[i], &state.settings);

          g_assert_true (sl_ok (&status));
          state.panel = (int) (i % (*lab)->n_panels);
          state.seed = i == 0 ? G_MAXUINT64 : i;
          assert_comes_back (&state);
        }
    }
}

/* Each parameter alone at another value, beside data with options. */
static void
test_settings (void)
{
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    for (unsigned p = 0; p < (*lab)->n_params; p++)
      {
        const SlParam *param = &(*lab)->params[p];
        SlState        state = begin (*lab);
        double        *value = state.settings.value[p].v;

        if ((*lab)->data == SL_NEEDS_PLANE)
          g_strlcpy (state.data, "moons:noise=0.3", sizeof state.data);
        if (state.data[0] != '\0')
          {
            const SlSource *source;
            SlSettings      settings;

            sl_source_parse (state.data, &source, &settings, NULL);
            sl_source_format (source, &settings, NULL, state.data, sizeof state.data);
          }
        *value = param->kind == SL_BOOLEAN  ? 1.0 - *value
                 : param->kind == SL_CHOICE ? (*value == 0.0 ? 1.0 : 0.0)
                 : *value == param->lo      ? param->hi
                                            : param->lo;
        sl_settings_settle (&state.settings, (*lab)->params, (*lab)->n_params);
        assert_comes_back (&state);
      }
}

static void
assert_refused (const char *text, const char *says)
{
  g_autoptr (GError) error = NULL;
  SlState state;

  if (sl_state_read (text, &state, &error))
    g_error ("%s was read", text);
  g_assert_nonnull (error);
  if (strstr (error->message, says) == NULL)
    g_error ("%s: %s", text, error->message);
}

static void
assert_all_damage_is_refused (const SlState *state)
{
  static const char others[] = "abcdefghijkmnpqrstuvwxyz0123456789=-./#: ,_";
  g_autofree char  *text = sl_state_write (state, NULL), *plain = g_ascii_strdown (text, -1);

  for (gsize i = 0; i < strlen (text); i++)
    {
      g_autofree char *without = g_strdup (text);

      for (const char *other = others; *other != '\0'; other++)
        {
          g_autofree char *damaged = g_strdup (text);

          damaged[i] = *other;
          if (i + 5 >= strlen (text) && strchr ("oil", *other) != NULL)
            continue; /* read as 0 and 1 */
          if (*other != plain[i])
            assert_refused (damaged, "The state");
        }
      memmove (without + i, without + i + 1, strlen (text) - i);
      assert_refused (without, "The state");
    }
}

static void
test_damage (void)
{
  for (const SlLab *const *lab = sl_labs; *lab != NULL; lab++)
    {
      SlState state = begin (*lab);

      state.seed = 17;
      state.panel = 0;
      assert_all_damage_is_refused (&state);
      for (unsigned i = 0; i < MIN (3, sl_lab_n_presets (*lab)); i++)
        {
          SlStatus status = sl_preset_settings (*lab, &(*lab)->presets[i], &state.settings);

          g_assert_true (sl_ok (&status));
          assert_all_damage_is_refused (&state);
        }
    }
}

static void
test_sentences (void)
{
  const SlLab     *lab = sl_lab_find ("experts");
  SlState          state = begin (lab), back;
  g_autofree char *text = NULL, *typed = NULL, *longer = g_strnfill (200, 'a');
  g_autoptr (GError) error = NULL;

  g_strlcpy (state.data, "moons", sizeof state.data);
  text = sl_state_write (&state, &error);
  g_assert_no_error (error);
  typed = g_ascii_strup (text, -1);
  g_assert_true (sl_state_read (typed, &back, NULL)); /* as somebody types it */
  assert_refused ("", "no checksum");
  assert_refused ("experts data=moons", "no checksum");
  assert_refused ("experts data=moons #00000", "checksum that does not fit");
  assert_refused ("expert data=moons #00000", "\"expert\"");
  assert_refused ("experts/nothing data=moons #00000", "\"nothing\"");
  assert_refused ("experts nothing=1 #00000", "\"nothing\"");
  assert_refused ("experts k=many #00000", "many");
  assert_refused ("experts data=moon #00000", "\"moon\"");
  assert_refused ("experts #00000", "no data");
  assert_refused ("experts data=moons seed=-1 #00000", "seed");
  assert_refused ("experts data=moons see=nothing #00000", "\"nothing\"");
  assert_refused ("experts data=moöns #00000", "other letters");
  assert_refused (longer, "more than 120 characters");
}

static void
test_too_long (void)
{
  const SlLab *lab = sl_lab_find ("experts");
  SlState      state = begin (lab);
  g_autoptr (GError) error = NULL;

  for (unsigned p = 0; p < lab->n_params; p++)
    if (lab->params[p].kind == SL_REAL)
      state.settings.value[p].v[0]
        = lab->params[p].lo + (lab->params[p].hi - lab->params[p].lo) / 3.0;
  g_assert_null (sl_state_write (&state, &error));
  g_assert_nonnull (strstr (error->message, "at most 120"));
  g_clear_error (&error);
  state = begin (lab);
  g_strlcpy (state.data, "/home/somebody/points.csv", sizeof state.data);
  g_assert_null (sl_state_write (&state, &error));
  g_assert_nonnull (strstr (error->message, "data in a file"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/state/presets", test_presets);
  g_test_add_func ("/state/settings", test_settings);
  g_test_add_func ("/state/damage", test_damage);
  g_test_add_func ("/state/sentences", test_sentences);
  g_test_add_func ("/state/too-long", test_too_long);
  return g_test_run ();
}
