#!/usr/bin/env bash
# Times whole runs of the built binary: both corpora, one and two threads, with and without predictions.
#
#     bash benches/whole_run.sh NAME       results go to benches/runs/DATE-NAME/
#
# It needs hyperfine and GNU time (`apt-get install hyperfine time` on Debian 12). The published trajectories take part if
# $NAPSIM_SHARED or ../shared has them. Every case is run once to warm up and then RUNS times (5 unless set).
set -euo pipefail
cd "$(dirname "$0")/.."

name=${1:?give the results a name, such as: bash benches/whole_run.sh before}
runs=${RUNS:-5}
for tool in hyperfine /usr/bin/time; do
    command -v "$tool" > /dev/null && continue
    echo "whole_run.sh needs $tool; on Debian: apt-get install hyperfine time" >&2
    exit 30
done

cargo build --release --locked --quiet
napsim=${CARGO_TARGET_DIR:-target}/release/napsim
folder=benches/runs/$(date -u +%F)-$name
mkdir -p "$folder"

# What the figures were measured on, without a name of the machine.
lscpu_field() { LC_ALL=C lscpu | sed -n "s/^$1: *//p" | head -n 1; }
dirty=$([ -n "$(git status --porcelain --untracked-files=no)" ] && echo true || echo false)
cat > "$folder/machine.json" <<JSON
{
  "cpu": "$(lscpu_field 'Model name')",
  "cores": $(nproc),
  "load_before": $(cut -d ' ' -f 1 /proc/loadavg),
  "commit": "$(git rev-parse HEAD)",
  "changed_since": $dirty,
  "rustc": "$(rustc --version)",
  "runs": $runs
}
JSON

corpora=(napsim-52)
published=${NAPSIM_SHARED:-../shared}/nape
[ -d "$published" ] && corpora+=("$published")

# One case: hyperfine's times, and the largest of the memory that three more runs took.
table=$folder/table.txt
printf '%-10s %-13s %5s %9s %9s %9s %9s\n' corpus predictor jobs mean,s deviation min,s peak,MB | tee "$table"
for corpus in "${corpora[@]}"; do
    label=$([ "$corpus" = napsim-52 ] && echo napsim-52 || echo published)
    for predictor in none online-ngram; do
        for jobs in 1 2; do
            case=$label-$predictor-$jobs
            run=("$napsim" run "$corpus" --predictor "$predictor" --jobs "$jobs" --quiet)
            # The name keeps paths of this machine out of the results.
            hyperfine --shell none --warmup 1 --runs "$runs" --style none --command-name "$case" \
                --export-json "$folder/$case.json" "$(printf '%q ' "${run[@]}")" > /dev/null
            peak=$(for _ in 1 2 3; do /usr/bin/time -f %M "${run[@]}" 2>&1 > /dev/null | tail -n 1; done | sort -n | tail -n 1)
            awk -v label="$label" -v predictor="$predictor" -v jobs="$jobs" -v peak="$peak" '
                /"(mean|stddev|min)":/ { gsub(/[",:]/, ""); value[$1] = $2 }
                END {
                    printf "%-10s %-13s %5d %9.3f %9.3f %9.3f %9.1f\n",
                        label, predictor, jobs, value["mean"], value["stddev"], value["min"], peak / 1024
                }' "$folder/$case.json" | tee -a "$table"
        done
    done
done
echo "kept in $folder"
