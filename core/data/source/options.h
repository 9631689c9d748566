/* SPDX-License-Identifier: MIT
 *
 * The options of sources, and those that most of them share, so that they read the same everywhere.  */
#pragma once

#include "core/base/param.h"

/* One option: `measure` is its unit, `paper` where it is from, and the arguments that follow give
 * its kind and range.  */
#define SL_OPTION(name, words, measure, text, paper, ...)                                          \
  {                                                                                                \
    .id = name, .title = words, .unit = measure, .group = "Data", .help = text, .source = paper,   \
    .effect = SL_RESTART, __VA_ARGS__                                                              \
  }

#define SL_OPTION_SHARE(name, words, text, paper, least, usual)                                    \
  SL_OPTION (name, words, "", text, paper, .kind = SL_REAL, .lo = least, .hi = 0.45, .step = 0.01, \
             .fallback = usual)

#define SL_OPTION_SEED_OF(text)                                                                    \
  SL_OPTION ("seed", "Data seed", "", text, "", .kind = SL_INTEGER, .lo = 0, .hi = 4294967295.0,   \
             .step = 1, .fallback = 1)

#define SL_OPTION_VALID                                                                            \
  SL_OPTION_SHARE ("valid", "Validation share", "Examples kept for validation.", "", 0.01, 0.1)

#define SL_OPTION_TEST                                                                             \
  SL_OPTION_SHARE ("test", "Test share", "Examples kept for the final score.", "", 0.01, 0.1)

/* What images are scaled to; sl_source_open() does it. */
extern const SlChoice sl_option_pixels[];

#define SL_OPTION_PIXELS                                                                           \
  SL_OPTION (                                                                                      \
    "pixels", "Pixels", "",                                                                        \
    "Bytes become numbers from -1 to 1, or each pixel gets mean 0 and standard deviation 1 over "  \
    "the training images.",                                                                        \
    "Davis 2016, §3.2.2: x/128 - 1; §3.2.1: standardised", .kind = SL_CHOICE,                      \
    .choices = sl_option_pixels)

#define SL_OPTION_SEED SL_OPTION_SEED_OF ("Seed of the examples and of their split.")

/* How a table is cut into cells, of data and of recordings; sl_source_table_form() reads them. */
extern const SlChoice sl_option_separators[], sl_option_decimals[], sl_option_headers[];

#define SL_OPTIONS_TABLE                                                                           \
  SL_OPTION ("skip", "Lines to skip", "", "Lines left out at the beginning.", "",                  \
             .kind = SL_INTEGER, .lo = 0, .hi = 1e6, .step = 1, .fallback = 0),                    \
    SL_OPTION ("separator", "Separator", "", "What parts the cells of a table.", "",               \
               .kind = SL_CHOICE, .choices = sl_option_separators),                                \
    SL_OPTION ("decimal", "Decimal sign", "", "What comes before a fraction.", "",                 \
               .kind = SL_CHOICE, .choices = sl_option_decimals),                                  \
    SL_OPTION ("header", "First row", "", "Whether it has the names of columns.", "",              \
               .kind = SL_CHOICE, .choices = sl_option_headers)
