#pragma once

namespace procsim {

class Program;

// Adds `completion bash|zsh|fish`, which prints a script for the shell, and the hidden command that the
// script asks.
void add_completion(Program& program);

}  // namespace procsim
