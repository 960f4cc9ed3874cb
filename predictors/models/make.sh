#!/usr/bin/env bash
# Makes the models that come with the program, from workbooks that the program itself makes up.
#
#   bash predictors/models/make.sh            # into this folder
#   bash predictors/models/make.sh FOLDER     # elsewhere, to compare: cmp FOLDER/ngram.model predictors/models/ngram.model
#
# The same version of the program and of XGBoost give the same bytes on the same kind of processor. It takes some forty
# minutes on two cores. NAPSIM names the program to use, otherwise it is built.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
out=$(mkdir -p "${1:-$root/predictors/models}" && cd "${1:-$root/predictors/models}" && pwd)
if [ -z "${NAPSIM:-}" ]; then
    cargo build --release --locked --manifest-path "$root/Cargo.toml"
    NAPSIM=$root/target/release/napsim
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$NAPSIM" corpus generate --seed 2026 --count 400 --profile all --out made-up --jsonl made-up.jsonl --split 0.9,0.05,0.05
train() {
    local kind=$1
    shift
    "$NAPSIM" train "$kind" --corpus made-up.jsonl --date 2026-11-30 --out "$out/$kind.model" "$@"
}
train ngram --min-count 3 --sequences 240 --valid-sequences 80
train xgboost --features v2 --sequences 400 --valid-sequences 80
train lstm --sequences 240 --valid-sequences 80
# Half an hour on two idle cores.
"$NAPSIM" train smollm --scratch --corpus made-up.jsonl --date 2026-11-30 --out "$out/tiny" --dtype f16 \
    --loss all --window 48 --stride 48 --max-tokens 1024 --batch 8 --max-steps 1000 --report-every 100 --valid-windows 64
