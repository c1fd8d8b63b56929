#!/usr/bin/env bash
# Runs every test. One command, on a fresh Debian with Rust, git, Node and root as on a developer's machine:
#
#   tests/all.sh           everything
#   tests/all.sh --fast    what needs Rust alone
#
# What is missing is installed: Debian packages through apt-get, axe-core through npm, cargo-deny through cargo. Where
# that is not possible (no root, another system), the one command that helps is printed and the exit code is 2. Nothing
# is passed over in silence. Set SKIPSTONE_DATA to a folder of real catalogs to test against those too, and
# SKIPSTONE_ADVISORY_DB to a clone of the RustSec advisory database to check dependencies against it.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."

cargo_deny_version=0.20.2
browser_packages="chromium chromium-driver"
mirror_packages="docker-registry skopeo umoci openssl apache2-utils"

usage() {
    sed -n '2,5p' "${BASH_SOURCE[0]}" | cut -c3-
}

fast=no
for argument in "$@"; do
    case "$argument" in
        --fast) fast=yes ;;
        --help | -h) usage && exit 0 ;;
        *) echo "tests/all.sh: unknown argument $argument" >&2 && usage >&2 && exit 2 ;;
    esac
done

steps=0
failed=()

# step NAME COMMAND...: runs it, says how long it took, goes on after a failure.
step() {
    local name=$1 start=$SECONDS outcome=ok
    shift
    echo "=== $name"
    "$@" || outcome=failed
    steps=$((steps + 1))
    [[ $outcome == ok ]] || failed+=("$name")
    echo "=== $name: $outcome, $((SECONDS - start)) s"
}

# cannot_run REASON COMMAND: the machine lacks something that this script may not or cannot install.
cannot_run() {
    echo "tests/all.sh: $1" >&2
    echo "Run this, then start again:  $2" >&2
    exit 2
}

has() {
    command -v "$1" >/dev/null 2>&1
}

need_rust() {
    has cargo || cannot_run "cargo is missing" "curl --proto '=https' -sSf https://sh.rustup.rs | sh"
    local part
    for part in fmt clippy; do
        cargo "$part" --version >/dev/null 2>&1 && continue
        has rustup || cannot_run "cargo $part is missing" "apt-get install rustfmt rust-clippy"
        local component=$part
        [[ $part == fmt ]] && component=rustfmt
        rustup component add "$component" || cannot_run "cargo $part could not be added" "rustup component add $component"
    done
}

need_cargo_deny() {
    cargo deny --version >/dev/null 2>&1 && return
    local command="cargo install --locked cargo-deny --version =$cargo_deny_version"
    echo "--- installing cargo-deny $cargo_deny_version"
    # Outside of the package, so that its lock file and settings have no say.
    (cd / && env -u CARGO_TARGET_DIR $command) || cannot_run "cargo-deny could not be installed" "$command"
}

# need_packages PACKAGES PROGRAM...: installs the packages where one of the programs is missing.
need_packages() {
    local packages=$1 program missing=()
    shift
    for program in "$@"; do
        has "$program" || missing+=("$program")
    done
    ((${#missing[@]})) || return 0
    local command="apt-get update && apt-get install -y --no-install-recommends $packages"
    [[ -f /etc/debian_version ]] && has apt-get ||
        cannot_run "not on the path: ${missing[*]}" "your system's way to install $packages"
    [[ $(id -u) == 0 ]] || cannot_run "not on the path: ${missing[*]}" "sudo sh -c '$command'"
    echo "--- installing $packages"
    DEBIAN_FRONTEND=noninteractive bash -c "$command" </dev/null || cannot_run "could not be installed: $packages" "$command"
}

need_browser() {
    has node && has npm || cannot_run "Node is missing" "apt-get install nodejs npm"
    need_packages "$browser_packages" chromium chromedriver
    echo "--- installing axe-core"
    (cd tests/browser && npm ci --no-audit --no-fund --ignore-scripts) ||
        cannot_run "axe-core could not be installed" "(cd tests/browser && npm ci --ignore-scripts)"
}

check_dependencies() {
    cargo deny --log-level error check bans licenses sources
}

check_advisories() {
    if [[ -z ${SKIPSTONE_ADVISORY_DB:-} ]]; then
        echo "SKIPSTONE_ADVISORY_DB is not set: dependencies are not checked against known vulnerabilities"
        return
    fi
    echo "checking against the advisory database in $SKIPSTONE_ADVISORY_DB"
    # cargo-deny takes no path of a database, only a folder in which it looks for its own name of the public one.
    local folder outcome=0
    folder=$(mktemp -d)
    ln -s "$(realpath "$SKIPSTONE_ADVISORY_DB")" "$folder/advisory-db-3157b0e258782691"
    sed "s|^\[advisories\]|[advisories]\ndb-path = \"$folder\"|" deny.toml >"$folder/deny.toml"
    cargo deny --offline --log-level error --config "$folder/deny.toml" check advisories || outcome=$?
    rm -r "$folder"
    return $outcome
}

check_documentation() {
    RUSTDOCFLAGS="-D warnings" cargo doc --no-deps --locked
}

browser_tests() {
    local folder outcome=0
    folder=$(mktemp -d)
    cargo run --release --locked -- scan --now 2026-11-30T00:00:00Z --no-cache \
        --catalog 4.18=fixtures/demo/4.18 --catalog 4.20=fixtures/demo/4.20 --releases fixtures/payloads/good \
        --cluster east=fixtures/clusters/must-gather --output "$folder/report" &&
        (cd tests/browser && SKIPSTONE_REPORT="$folder/report" node --test) || outcome=$?
    rm -r "$folder"
    return $outcome
}

need_rust
[[ -n ${SKIPSTONE_DATA:-} ]] && echo "SKIPSTONE_DATA names $SKIPSTONE_DATA: real catalogs are read too" ||
    echo "SKIPSTONE_DATA is not set: the tests over real catalogs say so and pass"

step "format" cargo fmt --all -- --check
step "lints" cargo clippy --all-targets --locked -- -D warnings
step "documentation" check_documentation
step "tests" cargo test --locked --no-fail-fast
if [[ $fast == no ]]; then
    need_cargo_deny
    step "dependencies" check_dependencies
    step "advisories" check_advisories
    need_packages "$mirror_packages" docker-registry skopeo umoci openssl htpasswd
    step "mirrors" cargo test --locked --no-fail-fast --test mirrors
    need_browser
    step "browser" browser_tests
else
    echo "=== left out by --fast: dependencies, advisories, mirrors, browser"
fi

if ((${#failed[@]})); then
    printf 'tests/all.sh: %d of %d steps failed in %d s: %s\n' "${#failed[@]}" "$steps" "$SECONDS" "$(
        IFS=,
        echo "${failed[*]}"
    )"
    exit 1
fi
echo "tests/all.sh: all $steps steps passed in $SECONDS s"
