#!/bin/sh
# Makes a world in shares, one array task per share. All tasks write to one folder that the nodes share.
#
#     sbatch --export=ALL,WORLD=graphs/world/hills.ron,PATCHES=0..64,0..64,OUT=/scratch/hills examples/shares/slurm.sh
#     terrane world verify /scratch/hills
#
# A restarted task makes the same files. The cache is on the node's own disk, since tasks share no results.
#SBATCH --job-name=terrane
#SBATCH --array=1-64
#SBATCH --cpus-per-task=4
#SBATCH --mem=4G
#SBATCH --time=01:00:00
set -eu
exec "${TERRANE:-terrane}" run "$WORLD" --patches="$PATCHES" --share "$SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT" \
    --threads "${SLURM_CPUS_PER_TASK:-1}" --cache-dir "${TMPDIR:-/tmp}/terrane" -o "$OUT"
