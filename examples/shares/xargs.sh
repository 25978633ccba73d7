#!/bin/sh
# Makes a world in shares, four at once on this machine.
#
#     examples/shares/xargs.sh graphs/world/hills.ron 0..8,0..8 out/hills
set -eu
world=$1 patches=$2 out=$3
shares=${SHARES:-4}
terrane=${TERRANE:-terrane}
# xargs appends the number of a share. A placeholder (`-I`) would also be replaced inside of paths.
seq "$shares" | xargs -P "$shares" -n 1 sh -c \
    '"$1" run "$2" --patches="$3" -o "$4" --threads 1 --share "$6/$5"' share \
    "$terrane" "$world" "$patches" "$out" "$shares"
"$terrane" world verify "$out"
