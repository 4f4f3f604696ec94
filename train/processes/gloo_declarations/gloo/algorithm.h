#pragma once
// Declarations of Gloo that LibTorch's ProcessGroupGloo.hpp names. The wheel of LibTorch holds Gloo inside its library and
// leaves its headers out. Nothing of ours makes or calls these: objects come from LibTorch and go back to it.
