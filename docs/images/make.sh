#!/usr/bin/env bash
# Makes the pictures in the README from a report on the built-in corpus. Needs napsim, Node.js and Chromium.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p target/browser
cp tests/browser/package.json target/browser/
npm install --prefix target/browser --no-package-lock --no-audit --no-fund --silent
napsim() { cargo run --release --locked --quiet -- "$@"; }
napsim run --quiet --out "$work/ngram" > "$work/ngram.txt"
napsim run --quiet --predictor xgboost --out "$work/xgboost" > "$work/xgboost.txt"
(cd "$work" && "$OLDPWD/target/release/napsim" report ngram xgboost -o report.html --title "Two predictors" --quiet)
node docs/images/pictures.mjs "$work/report.html" docs/images
