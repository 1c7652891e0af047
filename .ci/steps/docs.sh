# shellcheck shell=bash
# SPDX-License-Identifier: MIT
# DocC's pages, and what a browser shows of them.

# DocC over the modules of `build`: a link that leads nowhere, a list of parameters that leaves one out, or a declaration in no
# group of the catalogue is an error. The tools are those beside the compiler. The pages are in .build/pages, unless BLUECAP_PAGES
# names another folder for them, in which nothing else may be. What a type has from a protocol is looked at there alone, and a
# witness without a comment is shown with that of the requirement. The pages of BlueCap link to those of all other modules, so
# they are made last. Those of BlueCapCoreBluetooth, which is not in .spi.yml because Linux has no more than its statistics, are made of
# the module as it is compiled for macOS.
pages_folder=${BLUECAP_PAGES:-.build/pages}
docs() {
    local targets tools triple
    targets=$(sed -nE 's/.*documentation_targets: \[(.*)\].*/\1/p' .spi.yml | tr -d , | tr ' ' '\n')
    [ -z "$targets" ] || targets+=$'\nBlueCapCoreBluetooth'
    tools=$(dirname "$(readlink -f "$(command -v swift)")")
    triple=$(swift -print-target-info | sed -nE 's/.*"triple": "(.*)".*/\1/p' | head -1)
    [ -n "$targets" ] && [ -n "$triple" ] || { echo "nothing to document"; return 1; }
    if [ -e "$pages_folder" ] && [ ! -f "$pages_folder/metadata.json" ]; then
        echo "error: $pages_folder is there, and does not hold such pages"
        return 1
    fi
    # The pages of services and of platforms, which are written from the code.
    BLUECAP_WRITE_PAGES=1 swift test --skip-build --ignore-lock --filter '\.(ProfileReference|PlatformTable)Tests/' || return 1
    rm -rf "$logs/docs"
    export -f document
    PATH=$tools:$PATH xargs -n 1 -P "$jobs" bash -c 'document "$@"' document "$triple" < <(grep -vx BlueCap <<< "$targets") || return 1
    PATH=$tools:$PATH document "$triple" BlueCap || return 1
    rm -rf "$pages_folder"
    "$tools/docc" merge .build-ci/docs/*/*.doccarchive --output-path "$pages_folder" --synthesized-landing-page-name BlueCap &&
        .ci/package_page.py "$pages_folder"
    local status=$?
    rm -rf .build-ci/docs
    return $status
}

# document TRIPLE TARGET: the documentation of one target. That it extends types of Foundation makes no module of ours of that.
document() {
    local folder=.build-ci/docs/$2 catalog=() links=() archive output graphs
    graphs=(swift-symbolgraph-extract -module-name "$2" -target "$1" -I .build/debug/Modules
        -Xcc -fmodule-map-file=.build/debug/CBlueCapLinux.build/module.modulemap
        -minimum-access-level public -emit-extension-block-symbols -skip-synthesized-members -output-dir "$folder/graphs")
    # What an app sees of the ground floor, it sees as Core's.
    [ "$2" != BlueCapCore ] || graphs+=(-experimental-allowed-reexported-modules=BlueCapRuntime)
    [ "$2" != BlueCapCoreBluetooth ] || graphs=(Tests/Apple/graph "$2" "$folder/graphs")
    [ ! -d "Sources/$2/Documentation.docc" ] || catalog=("Sources/$2/Documentation.docc")
    rm -rf "$folder" && mkdir -p "$folder/graphs" || return 1
    if [ "$2" = BlueCap ]; then
        for archive in .build-ci/docs/*/*.doccarchive; do links+=(--dependency "$archive"); done
    fi
    output=$("${graphs[@]}" 2>&1 &&
        .ci/topics.py "$2" "$folder/graphs" "Sources/$2/Documentation.docc" 2>&1 &&
        rm -f "$folder/graphs/"*@Foundation*.symbols.json &&
        docc convert "${catalog[@]}" --additional-symbol-graph-dir "$folder/graphs" --fallback-display-name "$2" \
            --fallback-bundle-identifier "$2" --output-path "$folder/$2.doccarchive" --warnings-as-errors \
            --disable-mentioned-in --enable-inherited-docs --enable-experimental-external-link-support "${links[@]}" 2>&1)
    local status=$?
    echo "$2: status $status"$'\n'"$output"
    return $status
}

# The pages in a browser.
pages() {
    .ci/pages.py "$pages_folder" --jobs "$jobs"
}
