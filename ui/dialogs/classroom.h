/* SPDX-License-Identifier: MIT
 *
 * The lessons and labs of a class in the preferences.  */
#pragma once

#include <adwaita.h>

#include "ui/kit/prefs.h"

/* Fills a row that can be switched on with a check for each lesson, or each lab, and lets them set
 * "classroom-lessons" or "classroom-labs".  */
void sl_classroom_fill_lessons (AdwExpanderRow *row, SlPrefs *prefs);
void sl_classroom_fill_labs (AdwExpanderRow *row, SlPrefs *prefs);
