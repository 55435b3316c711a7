#pragma once

#include <glad/glad.h>
