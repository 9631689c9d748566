/* SPDX-License-Identifier: MIT
 *
 * Values and conditions of parameters: lists of whole numbers and of any numbers, as text and back,
 * and what a parameter needs to matter.  */
#include <glib.h>
#include <stdlib.h>
#include <string.h>

#include "core/base/packed.h"

/* clang-format off */
static const SlParam params[] = {
  { .id = "gate", .kind = SL_CHOICE, SL_CHOICES ({ "noisy", "" }, { "switch", "" }, { "bias", "" }) },
  { .id = "groups", .kind = SL_INTEGER, .lo = 1, .hi = 8, .step = 1, .fallback = 1 },
  { .id = "hidden", .kind = SL_LIST, .lo = 1, .hi = 4096, .step = 1, .list = "40-20-10" },
  { .id = "theta", .kind = SL_LIST, .lo = -2, .hi = 2, .step = 0.01, .list = "0", .each = "hidden" },
  { .id = "shift", .kind = SL_LIST, .lo = -3, .hi = 3, .step = 1, .list = "-1/2" },
  { .id = "share", .kind = SL_LIST, .lo = 0, .hi = 1, .step = 0.1, .list = "0.5" },
  { .id = "either", .kind = SL_BOOLEAN, .needs = "gate=switch|groups>2" },
  { .id = "both", .kind = SL_BOOLEAN, .needs = "gate=switch|gate=bias groups>2" },
  { .id = "last", .kind = SL_BOOLEAN, .needs = "gate=noisy|either=yes" },
};
/* clang-format on */

enum { N = G_N_ELEMENTS (params), HIDDEN = 2, THETA, SHIFT, SHARE, EITHER, BOTH, LAST };

static void
test_lists (void)
{
  static const struct
  {
    unsigned    param;
    const char *typed, *shown; /* NULL: refused */
  } cases[] = {
    { HIDDEN, "40-20-10", "40-20-10" },
    { HIDDEN, "40/20", NULL },
    { HIDDEN, "40,20", NULL },
    { HIDDEN, "1.5", NULL },
    { HIDDEN, "-40", NULL },
    { THETA, "-0.5/0/0.25", "-0.5/0/0.25" },
    { THETA, "-0.5,0,0.25", "-0.5/0/0.25" },
    { THETA, "-1e-3/1e-3", "-0.001/0.001" },
    { THETA, "-1e-12", "-1e-12" },
    { THETA, "-0.5-0.25", NULL },
    { THETA, "-2.01", NULL },
    { THETA, "0//1", NULL },
    { THETA, "0/", NULL },
    { THETA, "", NULL },
    { THETA, "nan", NULL },
    { SHIFT, "-3/2/-1", "-3/2/-1" },
    { SHIFT, "0.5", NULL },
    { SHARE, "0.25/1", "0.25/1" },
    { SHARE, "-0.25", NULL },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      const SlParam *param = &params[cases[i].param];
      SlValue        value, again;
      SlStatus       status = sl_param_parse (param, cases[i].typed, &value);
      char           text[512];

      g_assert_true (sl_ok (&status) == (cases[i].shown != NULL));
      if (cases[i].shown == NULL)
        continue;
      g_assert_cmpstr (sl_param_format (param, &value, text, sizeof text), ==, cases[i].shown);
      status = sl_param_parse (param, text, &again);
      g_assert_true (sl_ok (&status) && sl_value_same (&value, &again));
    }
}

/* The longest texts, and one element more than fits. */
static void
test_long (void)
{
  SlValue  value = { .n = SL_LIST_MAX }, again;
  char     text[512];
  SlStatus status;

  for (unsigned i = 0; i < SL_LIST_MAX; i++)
    value.v[i] = -1.2345678901234567e-105 * (i + 1);
  sl_param_format (&params[THETA], &value, text, sizeof text);
  status = sl_param_parse (&params[THETA], text, &again);
  g_assert_true (sl_ok (&status) && sl_value_same (&value, &again));
  g_strlcat (text, "/0", sizeof text);
  status = sl_param_parse (&params[THETA], text, &again);
  g_assert_cmpint (status.code, ==, SL_EINVAL);
}

/* What is wrong is said in the words of the list. */
static void
test_refusal (void)
{
  SlValue  value;
  SlStatus status = sl_param_parse (&params[THETA], "3", &value);
  char     text[256];

  sl_message_show (status.expected.packed, NULL, text, sizeof text);
  g_assert_cmpstr (text, ==, "numbers from -2 to 2 joined by '/', at most 16");
  g_assert_false (sl_param_is_whole (&params[THETA]));
  g_assert_true (sl_param_is_whole (&params[SHIFT]));
  g_assert_cmpstr (sl_param_separator (&params[SHIFT]), ==, "/");
  g_assert_cmpstr (sl_param_separator (&params[HIDDEN]), ==, "-");
  g_assert_cmpfloat (sl_param_tidy (&params[THETA], -0.123), ==, -0.12);
}

static void
test_follows (void)
{
  SlSettings settings;
  SlStatus   status;

  sl_settings_default (&settings, params, N);
  g_assert_cmpuint (settings.value[THETA].n, ==, 3);
  status = sl_settings_set (&settings, params, N, "theta", "-0.5/0.25");
  g_assert_true (sl_ok (&status));
  g_assert_cmpuint (settings.value[THETA].n, ==, 3);
  g_assert_cmpfloat (settings.value[THETA].v[2], ==, 0.25);
}

static void
test_either (void)
{
  static const struct
  {
    const char *words;
    bool        either, both, last;
  } cases[] = {
    { "gate=noisy groups=1", false, false, true },
    { "gate=noisy groups=3", true, false, true },
    { "gate=switch groups=1", true, false, false },
    { "gate=switch groups=3", true, true, false },
    { "gate=bias groups=1", false, false, false },
    { "gate=bias groups=3", true, true, false },
    { "gate=bias groups=3 either=yes", true, true, true },
    /* What an alternative names must matter itself. */
    { "gate=bias groups=1 either=yes", false, false, false },
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      SlSettings settings;
      SlStatus   status;

      sl_settings_default (&settings, params, N);
      status = sl_settings_set_words (&settings, params, N, cases[i].words);
      g_assert_true (sl_ok (&status));
      g_assert_true (sl_param_matters (&settings, params, N, EITHER) == cases[i].either);
      g_assert_true (sl_param_matters (&settings, params, N, BOTH) == cases[i].both);
      g_assert_true (sl_param_matters (&settings, params, N, LAST) == cases[i].last);
    }
}

/* In little room, and the same to the bit, lists that follow others too. */
static void
test_packed (void)
{
  static const char *const words[] = {
    "",
    "groups=3",
    "hidden=7",
    "hidden=1-2-3-4-5-6-7-8-9-10-11-12-13-14-15-16 theta=-0.5",
    "gate=bias groups=8 shift=3 share=0.1/0.30000000000000004 either=yes last=yes",
  };

  for (unsigned i = 0; i < G_N_ELEMENTS (words); i++)
    {
      bool       differs[SL_PARAMS_MAX] = { false };
      SlSettings settings, usual, back;
      SlPacked  *packed, *copy;
      SlStatus   status;

      sl_settings_default (&settings, params, N);
      sl_settings_default (&usual, params, N);
      status = sl_settings_set_words (&settings, params, N, words[i]);
      g_assert_true (sl_ok (&status));
      packed = sl_settings_pack (&settings, params, N);
      copy = sl_packed_copy (packed);
      free (packed);
      sl_settings_unpack (copy, params, N, &back);
      g_assert_true (sl_settings_same (&settings, &back, N));
      sl_packed_mark (copy, differs);
      for (unsigned p = 0; p < N; p++)
        {
          SlValue value = sl_packed_value (copy, params, p);

          g_assert_true (sl_value_same (&value, &settings.value[p]));
          g_assert_true (differs[p] || sl_value_same (&value, &usual.value[p]) || p == THETA);
        }
      free (copy);
    }
  SlSettings usual, back;
  sl_settings_default (&usual, params, N);
  sl_settings_unpack (NULL, params, N, &back);
  g_assert_null (sl_packed_copy (NULL));
  g_assert_true (sl_value_same (&back.value[SHIFT], &usual.value[SHIFT]));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/param/lists", test_lists);
  g_test_add_func ("/param/long", test_long);
  g_test_add_func ("/param/refusal", test_refusal);
  g_test_add_func ("/param/follows", test_follows);
  g_test_add_func ("/param/either", test_either);
  g_test_add_func ("/param/packed", test_packed);
  return g_test_run ();
}
