#ifndef BITPAL_CYAML_SHIM_H
#define BITPAL_CYAML_SHIM_H

#include <yaml.h>

#endif
