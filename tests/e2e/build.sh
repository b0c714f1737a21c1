#!/bin/sh
# Builds the programs of a Kubernetes control plane from the Go module proxy, for the tests of this directory.
#
#   build.sh DIRECTORY KUBERNETES_VERSION PROGRAM...
#
# PROGRAM is one of etcd, kube-apiserver, kube-controller-manager, kube-scheduler, kwok. A program that DIRECTORY holds
# already is left alone; one appears there only when it is complete. DIRECTORY lies outside the checkout.
#
# Kubernetes cannot be had with `go install`: its go.mod replaces the libraries by folders of its own repository. The
# module made here is the same go.mod with the published libraries (v1.37.2 is v0.37.2 there) in place of the folders,
# so that every dependency has the version that the release was tested with, etcd included.
set -eu

KWOK_VERSION=${KWOK_VERSION:-v0.8.0}

fail() {
    printf 'build.sh: %s\n' "$1" >&2
    exit 1
}

[ $# -ge 3 ] || fail 'usage: build.sh DIRECTORY KUBERNETES_VERSION PROGRAM...'
directory=$1
version=$2
shift 2
case $version in
v1.*.*) ;;
*) fail "not a version such as v1.37.2: $version" ;;
esac
command -v go >/dev/null || fail 'go is not on PATH'

mkdir -p "$directory"
directory=$(cd "$directory" && pwd)
work=$directory/.build.$$
mkdir "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM

# One module for Kubernetes and etcd, made from the go.mod of the release.
prepare() {
    [ ! -e "$work/go.mod" ] || return 0
    source=$(go mod download -json "k8s.io/kubernetes@$version" | sed -n 's/^.*"Dir": "\(.*\)",*$/\1/p')
    [ -n "$source" ] || fail "the Go module proxy has no Kubernetes $version"
    sed -e 's|^module .*|module groundswell.invalid/e2e|' \
        -e "s|=> ./staging/src/\(.*\)|=> \1 v0${version#v1}|" "$source/go.mod" >"$work/go.mod"
    cp "$source/go.sum" "$work/go.sum"
    chmod u+w "$work/go.sum"
    (cd "$work" && go mod edit -require="k8s.io/kubernetes@$version")
}

build() {
    target=$1
    package=$2
    minor=${version#v1.}
    stamp="-X k8s.io/component-base/version.gitVersion=$version"
    stamp="$stamp -X k8s.io/component-base/version.gitMajor=1 -X k8s.io/component-base/version.gitMinor=${minor%%.*}"
    (cd "$work" && CGO_ENABLED=0 nice -n 19 go build -mod=mod -trimpath -ldflags "-s -w $stamp" -o "$target" "$package")
}

for program in "$@"; do
    [ ! -x "$directory/$program" ] || continue
    printf 'build.sh: building %s for Kubernetes %s\n' "$program" "$version" >&2
    case $program in
    etcd)
        prepare
        build "$work/etcd" go.etcd.io/etcd/server/v3
        ;;
    kube-apiserver | kube-controller-manager | kube-scheduler)
        prepare
        build "$work/$program" "k8s.io/kubernetes/cmd/$program"
        ;;
    kwok)
        GOBIN=$work CGO_ENABLED=0 nice -n 19 go install -trimpath -ldflags '-s -w' "sigs.k8s.io/kwok/cmd/kwok@$KWOK_VERSION"
        ;;
    *) fail "no way to build $program" ;;
    esac
    mv "$work/$program" "$directory/$program"
done
