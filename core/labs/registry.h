/* SPDX-License-Identifier: MIT
 *
 * Every lab there is.  */
#pragma once

#include "core/lab/lab.h"

/* All labs, in the order of the sidebar, ended by NULL. */
extern const SlLab *const sl_labs[];

/* The lab with this id, or NULL. */
const SlLab *sl_lab_find (const char *id);
