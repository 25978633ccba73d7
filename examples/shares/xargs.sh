#!/bin/sh
# Makes a world in shares, four at once on this machine.
#
#     examples/shares/xargs.sh graphs/world/hills.ron 0..8,0..8 out/hills
set -eu
world=$1 patches=$2 out=$3
shares=${SHARES:-4}
terrane=${TERRANE:-terrane}
seq "$shares" | xargs -P "$shares" -I K "$terrane" run "$world" --patches="$patches" --share "K/$shares" --threads 1 -o "$out"
"$terrane" world verify "$out"
