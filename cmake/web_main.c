// The compiler calls `int main(int, char**)` __main_argc_argv, and Emscripten's older driver looks for main.
int program_main(int count, char** words) __asm__("__main_argc_argv");
int page_main(int count, char** words) __asm__("main");

int page_main(int count, char** words) { return program_main(count, words); }
