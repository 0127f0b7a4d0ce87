#!/bin/sh
# Makes the documentation of the library: articles, and every public symbol. Opens nothing.
#
#   scripts/make-docs.sh        then: python3 -m http.server --directory .build/docs 8080
#                               and http://localhost:8080/documentation/auricle
set -eu
cd "$(dirname "$0")/.."

graphs=.build/documentation/symbol-graphs
rm -rf "$graphs" .build/docs
mkdir -p "$graphs"
for target in Auricle AuricleHost; do
  swift build --scratch-path .build/documentation --target $target \
    -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$PWD/$graphs"
done
# Packages of others have documentation of their own.
for graph in "$graphs"/*.symbols.json; do
  module=$(basename "$graph" .symbols.json)
  [ -d "Sources/${module%%@*}" ] || rm "$graph"
done
docc convert Sources/Auricle/Auricle.docc --additional-symbol-graph-dir "$graphs" \
  --fallback-display-name Auricle --fallback-bundle-identifier auricle \
  --transform-for-static-hosting --output-path .build/docs
echo "The documentation is in .build/docs: python3 -m http.server --directory .build/docs 8080"
echo "shows it at http://localhost:8080/documentation/auricle"
