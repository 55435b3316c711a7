// The functions of OpenGL, as this host has them.
#pragma once

#include <host_gl.h>
