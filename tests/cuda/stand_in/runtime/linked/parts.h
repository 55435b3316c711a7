#pragma once
__device__ float scaled(float x);
__device__ float from_archive(float x);
void set_factor(float value);
int counter_of_part();
void launch_local_of_part(int* to);
