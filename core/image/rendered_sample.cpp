// A small ray-traced scene: balls on a chequered floor under an evening sky. It uses only additions,
// multiplications, divisions and square roots, whose results IEEE 754 defines exactly, so the picture is the
// same everywhere.
#include <algorithm>
#include <array>
#include <cmath>

#include "core/image/image.h"

namespace warplens {

namespace {

struct Vector {
  double x = 0, y = 0, z = 0;
};

Vector operator+(Vector a, Vector b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
Vector operator-(Vector a, Vector b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Vector operator*(Vector a, double s) { return {a.x * s, a.y * s, a.z * s}; }
Vector operator*(Vector a, Vector b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
// Light of a colour as screens show it (gamma 2).
constexpr Vector light_of(double red, double green, double blue) {
  return {red * red, green * green, blue * blue};
}
double dot(Vector a, Vector b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
Vector unit(Vector a) { return a * (1 / std::sqrt(dot(a, a))); }
Vector mix(Vector a, Vector b, double t) { return a * (1 - t) + b * t; }

struct Ball {
  Vector centre;
  double radius;
  Vector colour;
};

constexpr std::array<Ball, 5> balls{{{{-1.7, 1.0, 5.2}, 1.0, light_of(.90, .22, .20)},
                                     {{.55, 1.3, 6.4}, 1.3, light_of(.16, .52, .86)},
                                     {{2.35, .75, 4.9}, .75, light_of(.98, .74, .16)},
                                     {{-.35, .45, 3.7}, .45, light_of(.24, .74, .36)},
                                     {{1.15, .3, 3.3}, .3, light_of(.72, .36, .80)}}};
const Vector to_sun = unit({-.55, .62, -.56});
constexpr double nothing_hit = 1e30;

double distance_to(const Ball& ball, Vector origin, Vector direction) {
  const Vector offset = origin - ball.centre;
  const double b = dot(offset, direction);
  const double discriminant = b * b - dot(offset, offset) + ball.radius * ball.radius;
  if (discriminant < 0) return nothing_hit;
  const double distance = -b - std::sqrt(discriminant);
  return distance > 1e-6 ? distance : nothing_hit;
}

const Ball* nearest(Vector origin, Vector direction, double& distance) {
  const Ball* found = nullptr;
  for (const Ball& ball : balls)
    if (const double candidate = distance_to(ball, origin, direction); candidate < distance) {
      distance = candidate;
      found = &ball;
    }
  return found;
}

constexpr Vector horizon = light_of(.98, .76, .58);

Vector sky(Vector direction) {
  const double height = std::clamp(direction.y * 1.6, 0.0, 1.0);
  Vector colour = mix(horizon, light_of(.16, .36, .74), std::sqrt(height));
  const double towards_sun = dot(direction, unit({.52, .24, 1}));
  if (towards_sun > .9985) return {1, .95, .80};
  const double glow = std::max(0.0, towards_sun);
  return mix(colour, {1, .82, .55}, glow * glow * glow * glow * .35);
}

double sunlight(Vector point) {
  double distance = nothing_hit;
  return nearest(point, to_sun, distance) ? 0.0 : 1.0;
}

Vector floor_colour(Vector point, double distance) {
  const bool odd = (static_cast<long>(std::floor(point.x)) + static_cast<long>(std::floor(point.z))) & 1;
  const Vector tile = odd ? light_of(.92, .88, .80) : light_of(.34, .38, .46);
  const Vector lit = tile * (.30 + .75 * to_sun.y * sunlight(point + Vector{0, 1e-6, 0}));
  const double haze = std::min(1.0, distance / 40);
  return mix(lit, horizon, haze);
}

Vector ball_colour(const Ball& ball, Vector point, Vector direction) {
  const Vector normal = (point - ball.centre) * (1 / ball.radius);
  const double facing = std::max(0.0, dot(normal, to_sun)) * sunlight(point + normal * 1e-6);
  const Vector mirrored = direction - normal * (2 * dot(normal, direction));
  double shine = std::max(0.0, dot(mirrored, to_sun));
  for (int i = 0; i < 5; ++i) shine *= shine;  // to the 32nd power
  const Vector ambient = mix({.34, .30, .28}, {.42, .48, .60}, .5 + .5 * normal.y);
  return ball.colour * (ambient + Vector{.95, .90, .80} * facing) +
         Vector{1, 1, .95} * (shine * .7 * (facing > 0)) +
         sky(mirrored.y > 0 ? mirrored : mirrored * Vector{1, -1, 1}) * .08;
}

Vector traced(Vector direction) {
  const Vector eye{0, 1.45, 0};
  double distance = nothing_hit;
  const Ball* ball = nearest(eye, direction, distance);
  const double to_floor = direction.y < -1e-4 ? -eye.y / direction.y : nothing_hit;
  if (ball && distance < to_floor) return ball_colour(*ball, eye + direction * distance, direction);
  if (to_floor < nothing_hit) return floor_colour(eye + direction * to_floor, to_floor);
  return sky(direction);
}

uint8_t to_byte(double light) {
  return static_cast<uint8_t>(std::lround(std::sqrt(std::clamp(light, 0.0, 1.0)) * 255));  // gamma 2
}

}  // namespace

Image rendered_sample(uint32_t width, uint32_t height) {
  Image image{width,
              height,
              3,
              std::vector<uint8_t>(size_t{3} * width * height),
              "rendered sample",
              "drawn by WarpLens"};
  const double shorter = std::max(1u, std::min(width, height));
  constexpr int samples = 2;  // in each direction, against jagged edges
  for (uint32_t row = 0; row < height; ++row)
    for (uint32_t column = 0; column < width; ++column) {
      Vector light;
      for (int i = 0; i < samples * samples; ++i) {
        const int right = i % samples, down = i / samples;
        const double x = column + (right + .5) / samples, y = row + (down + .5) / samples;
        const Vector direction{(x - width * .5) / shorter, (height * .5 - y) / shorter - .08, 1.05};
        const Vector sample = traced(unit(direction));
        light = light + Vector{std::min(sample.x, 1.0), std::min(sample.y, 1.0), std::min(sample.z, 1.0)};
      }
      light = light * (1.0 / (samples * samples));
      uint8_t* pixel = &image.pixels[(size_t{row} * width + column) * 3];
      pixel[0] = to_byte(light.x);
      pixel[1] = to_byte(light.y);
      pixel[2] = to_byte(light.z);
    }
  return image;
}

}  // namespace warplens
