#!/bin/sh
# Uninstalls this bundle's Helm releases, the last one first: ./uninstall.sh --help
#
# This file is the same in every bundle. What is uninstalled stands in install.tsv, which is data to it.
set -eu

usage() {
    cat <<'USAGE'
usage: ./uninstall.sh [options]

  --dry-run            read the cluster and print the commands, but run none
  --only NAME          only this folder, or this component's folders (can be repeated)
  --delete-crds-and-namespaces
                       also uninstall releases that hold CRDs or Namespaces without `helm.sh/resource-policy: keep`.
                       Every object of those kinds and everything in those Namespaces goes with them
  --timeout DURATION   how long each release may take (default: 10m)
  --kubeconfig FILE    the cluster's kubeconfig (default: $KUBECONFIG, then ~/.kube/config)
  --context NAME       the context in it
  --help               this text

Namespaces of this bundle and CRDs from a chart's crds/ directory stay. Releases that are gone already are skipped.
Exit: 0 done, 2 wrong usage, 130 stopped by a signal, anything else: a step failed and none after it was started.
USAGE
}

# ---- shared by install.sh and uninstall.sh ----

LC_ALL=C
export LC_ALL
# Which cluster is meant, how releases are stored and how much helm prints must not depend on what the caller's shell happens
# to export: KUBECONFIG, --kubeconfig and --context decide, and nothing else.
unset CDPATH HELM_DRIVER HELM_DRIVER_SQL_CONNECTION_STRING HELM_NAMESPACE HELM_DEBUG HELM_COLOR HELM_MAX_HISTORY \
    HELM_KUBECONTEXT HELM_KUBECONFIG HELM_KUBEAPISERVER HELM_KUBETOKEN HELM_KUBECAFILE HELM_KUBEASUSER HELM_KUBEASGROUPS \
    HELM_KUBEINSECURE_SKIP_TLS_VERIFY HELM_KUBETLS_SERVER_NAME 2>/dev/null || :

NEWLINE='
'
TAB=$(printf '\t')
PROGRAM=${0##*/}
CALLER=$(pwd -P)
BUNDLE=$(cd -- "$(dirname -- "$0")" && pwd -P) || exit 1

KUBECONFIG_FILE='' CONTEXT='' DRY_RUN='' ONLY='' TIMEOUT=10m HELM_MAJOR='' STOPPED='' CHILD=''

say() { printf '%s\n' "$*"; }
warn() { printf '%s: %s\n' "$PROGRAM" "$*" >&2; }
die() {
    if [ -n "$STOPPED" ]; then
        warn "stopped by a signal"
        exit "$STOPPED"
    fi
    warn "$*"
    exit 1
}
usage_error() {
    warn "$*"
    usage >&2
    exit 2
}

need_value() {
    if [ $# -lt 2 ] || [ -z "$2" ]; then usage_error "$1 needs a value"; fi
}

# A path as the caller means it, which must survive the change into the bundle's directory.
absolute() {
    case $1 in
    /*) printf '%s' "$1" ;;
    *) printf '%s/%s' "$CALLER" "$1" ;;
    esac
}

check_timeout() {
    case $TIMEOUT in
    *[!0-9hms]* | [!0-9]* | *[0-9] | *[hms][hms]*) usage_error "--timeout takes a duration such as 10m or 1h30m: $TIMEOUT" ;;
    esac
}

# KUBECONFIG is a list of files, which may be relative to where the caller stands.
absolute_kubeconfig() {
    [ -n "${KUBECONFIG-}" ] || return 0
    list=''
    rest=$KUBECONFIG:
    while [ -n "$rest" ]; do
        entry=${rest%%:*}
        rest=${rest#*:}
        if [ -n "$entry" ]; then list=$list${list:+:}$(absolute "$entry"); fi
    done
    KUBECONFIG=$list
    export KUBECONFIG
}

enter_bundle() {
    absolute_kubeconfig
    cd -- "$BUNDLE" || die "cannot enter $BUNDLE"
}

# ---- signals: a closed terminal does not end a run; Ctrl-C and TERM end it after helm has recorded the release as failed ----

trap '' HUP
trap 'STOPPED=130; if [ -n "$CHILD" ]; then kill -TERM "$CHILD" 2>/dev/null || :; fi' INT TERM

# Waits for the child in CHILD. A signal interrupts `wait`, hence the loop: helm is never left behind running.
await() {
    while :; do
        code=0
        wait "$CHILD" || code=$?
        kill -0 "$CHILD" 2>/dev/null || break
    done
    CHILD=''
    return "$code"
}

# ---- helm ----

# change_cluster FILE ARGUMENTS...: one helm call that may write; its standard input is FILE.
change_cluster() {
    input=$1
    shift
    if [ -n "$STOPPED" ]; then return 130; fi
    if [ -n "$KUBECONFIG_FILE" ]; then set -- "$@" --kubeconfig "$KUBECONFIG_FILE"; fi
    if [ -n "$CONTEXT" ]; then set -- "$@" --kube-context "$CONTEXT"; fi
    if [ -n "$DRY_RUN" ]; then
        show "$input" "$@"
        return 0
    fi
    helm "$@" <"$input" 3<&- &
    CHILD=$!
    await
}

# ask_cluster ARGUMENTS...: one helm call that only reads.
ask_cluster() {
    if [ -n "$STOPPED" ]; then return 130; fi
    if [ -n "$KUBECONFIG_FILE" ]; then set -- "$@" --kubeconfig "$KUBECONFIG_FILE"; fi
    if [ -n "$CONTEXT" ]; then set -- "$@" --kube-context "$CONTEXT"; fi
    helm "$@" </dev/null 3<&-
}

# Prints a call as a line that a shell can run in the bundle's directory.
show() {
    redirection=''
    if [ "$1" != /dev/null ]; then redirection=" <$(quoted "$1")"; fi
    shift
    line=helm
    for argument in "$@"; do line="$line $(quoted "$argument")"; done
    case $PWD in
    "$BUNDLE") say "$line$redirection" ;;
    *) say "(cd $(quoted "${PWD##*/}") && $line$redirection)" ;;
    esac
}

# In a dry run everything but the commands is a comment, so that the output is a script.
progress() {
    if [ -n "$DRY_RUN" ]; then say "# $*"; else say "==> $*"; fi
}

# A line that belongs to the last one of `progress`.
detail() {
    if [ -n "$DRY_RUN" ]; then say "#     $*"; else say "    $*"; fi
}

quoted() {
    case $1 in
    '' | *[!A-Za-z0-9_./:=,@%+-]*) ;;
    *)
        printf '%s' "$1"
        return
        ;;
    esac
    tail=$1
    printf "'"
    while :; do
        case $tail in
        *\'*)
            printf "%s'\\\\''" "${tail%%\'*}"
            tail=${tail#*\'}
            ;;
        *) break ;;
        esac
    done
    printf "%s'" "$tail"
}

# Helm 3.17 and later and 4.1.1 and later are known to make the same writes with the flags used here.
require_tools() {
    command -v helm >/dev/null 2>&1 || die "helm is not on PATH: Helm 3.17 or later, or 4.1.1 or later, is needed"
    command -v awk >/dev/null 2>&1 || die "awk is not on PATH: what a release holds is read with it"
    found=$(helm version --template '{{.Version}}' </dev/null) || die "helm version does not answer"
    number=${found#v}
    number=${number%%[-+]*}
    major=${number%%.*}
    patch=${number##*.}
    minor=${number#*.}
    minor=${minor%%.*}
    case $major$minor$patch in
    '' | *[!0-9]*) die "cannot read the version that helm gives: $found" ;;
    esac
    case $major in
    3) [ "$minor" -ge 17 ] || unsupported_helm ;;
    4) [ "$minor" -gt 1 ] || { [ "$minor" -eq 1 ] && [ "$patch" -ge 1 ]; } || unsupported_helm ;;
    *) unsupported_helm ;;
    esac
    HELM_MAJOR=$major
}
unsupported_helm() { die "helm $found is not supported: Helm 3.17 or later, or 4.1.1 or later, is needed"; }

# How to ask this Helm to wait: the one strategy that both majors have.
wait_flag() {
    case $HELM_MAJOR in
    4) printf '%s' --wait=legacy ;;
    *) printf '%s' --wait ;;
    esac
}

# ---- the table: one line per folder; fields are separated by tabs, `-` stands for an empty one ----

read_row() {
    while IFS=$TAB read -r folder component release namespace chart repository version flags digest rest; do
        case $folder in
        '#'*) ;;
        *) return 0 ;;
        esac
    done
    return 1
}

named() { [ "$1" = "$folder" ] || [ "$1" = "$component" ]; }

check_table() {
    [ -r install.tsv ] || die "install.tsv is missing: this directory is not a whole bundle"
    rows=0
    while read_row <&3; do
        for cell in "$folder" "$component" "$release" "$namespace" "$chart" "$repository" "$version" "$flags" "$digest"; do
            case $cell in
            '' | -?*) die "install.tsv is damaged: the line of \`$folder\`" ;;
            esac
        done
        case $folder$rest in
        */* | .*) die "install.tsv is damaged: the line of \`$folder\`" ;;
        esac
        if [ -n "$rest" ]; then die "install.tsv is damaged: the line of \`$folder\` is too long"; fi
        [ -r "./$folder/values.yaml" ] || die "$folder/values.yaml is missing: this directory is not a whole bundle"
        rows=$((rows + 1))
    done 3<install.tsv
    [ "$rows" -gt 0 ] || die "install.tsv lists nothing"
}

# check_names OPTION NAMES: each line of NAMES is a folder's or a component's name.
check_names() {
    while IFS= read -r name; do
        if [ -n "$name" ]; then known "$name" || unknown_name "$1" "$name"; fi
    done <<NAMES
$2
NAMES
}

known() {
    while read_row <&3; do
        if named "$1"; then return 0; fi
    done 3<install.tsv
    return 1
}

unknown_name() {
    warn "$1: there is no folder and no component \`$2\` in this bundle. Folders and their components:"
    while read_row <&3; do
        printf '  %-40s %s\n' "$folder" "$component" >&2
    done 3<install.tsv
    exit 2
}

chosen() {
    [ -n "$ONLY" ] || return 0
    while IFS= read -r name; do
        if [ -n "$name" ] && named "$name"; then return 0; fi
    done <<NAMES
$ONLY
NAMES
    return 1
}

# has_release STATUS-FLAGS...: whether the folder's release exists in one of these states.
has_release() {
    answer=$(ask_cluster list --namespace "$namespace" --filter "^$release\$" --short "$@") ||
        die "cannot read the releases in namespace $namespace (is the cluster there, and may this user list secrets in it?)"
    [ "$answer" = "$release" ]
}

# unkept KINDS: reads a release's manifest and prints each object of one of the KINDS (`A|B`) that does not carry
# `helm.sh/resource-policy: keep`, so that uninstalling would delete it.
unkept() {
    awk -v kinds="$1" '
        function bare(text) {
            sub(/^[^:]*:[ \t]*/, "", text); sub(/[ \t]+#.*$/, "", text); gsub(/["\047 \t]/, "", text)
            return text
        }
        # in_metadata(LINE, START): one line of metadata, at whose START it may begin in flow style.
        function in_metadata(line, start) {
            if (text != "" || line ~ /^[ \t]*[{]/) {
                text = text " " line
                in_flow(text)
            } else if (!start && line !~ /^[ \t]*(#.*)?$/) {
                match(line, /^ */)
                if (indent < 0) indent = RLENGTH
                if (RLENGTH == indent && line ~ /^ *["\047]?name["\047]?[ \t]*:/) name = bare(line)
            }
        }
        # in_flow(MAP): takes the name out of a map in flow style, once it is whole, whatever maps and texts it holds.
        function in_flow(map, left, quoted) {
            for (left = ""; match(map, /"[^"]*"|\047[^\047]*\047/); map = substr(map, RSTART + RLENGTH)) {
                quoted = substr(map, RSTART, RLENGTH)
                left = left substr(map, 1, RSTART - 1) (quoted ~ /[{},:]/ ? "x" : quoted)
            }
            map = left map
            if (gsub(/[{]/, "{", map) > gsub(/[}]/, "}", map)) return
            inside = 0
            sub(/^[^{]*[{]/, " ", map)
            while (gsub(/[{][^{}]*[}]/, "", map)) { }
            if (match(map, /[ \t,]["\047]?name["\047]?[ \t]*:[^,}]*/)) name = bare(substr(map, RSTART, RLENGTH))
        }
        function close_document() {
            if (kind ~ ("^(" kinds ")$") && !kept) print kind " " name
            if ((kind == "List" || flow) && inner > kept) print (flow ? "an object" : "a List") " of " kinds
            kind = name = ""; inner = kept = flow = inside = 0
        }
        { sub(/\r$/, "") }
        /^---([ \t]|$)/ { close_document(); next }
        /^[{]/ { flow = 1 }
        /^["\047]?kind["\047]?[ \t]*:/ { kind = bare($0); next }
        /^[^ \t#}]/ { inside = 0 }
        inside { in_metadata($0, 0) }
        /^["\047]?metadata["\047]?[ \t]*:/ {
            inside = 1; indent = -1; text = ""
            in_metadata(substr($0, index($0, ":") + 1), 1)
        }
        /helm\.sh\/resource-policy["\047]?[ \t]*:[ \t]*["\047]?[Kk][Ee][Ee][Pp]/ { kept++ }
        $0 ~ ("(^|[ \t{,\"\047])kind[\"\047]?[ \t]*:[ \t]*[\"\047]?(" kinds ")([\"\047 \t,}]|$)") { inner++ }
        END { close_document() }
    '
}

# ---- end of the shared part ----

DELETE_ALL='' KEPT=''

parse_options() {
    while [ $# -gt 0 ]; do
        case $1 in
        --*=*)
            option=${1%%=*}
            value=${1#*=}
            shift
            set -- "$option" "$value" "$@"
            ;;
        esac
        case $1 in
        --dry-run) DRY_RUN=yes ;;
        --delete-crds-and-namespaces) DELETE_ALL=yes ;;
        --only | --timeout | --kubeconfig | --context)
            need_value "$@"
            take_value "$1" "$2"
            shift
            ;;
        -h | --help)
            usage
            exit 0
            ;;
        *) usage_error "unknown option: $1" ;;
        esac
        shift
    done
    check_timeout
}

take_value() {
    case $1 in
    --only) ONLY=$ONLY$2$NEWLINE ;;
    --timeout) TIMEOUT=$2 ;;
    --kubeconfig) KUBECONFIG_FILE=$(absolute "$2") ;;
    --context) CONTEXT=$2 ;;
    esac
}

# Prints the table's lines, the last one first.
reversed() {
    lines=''
    while IFS= read -r line <&3; do
        lines=$line$NEWLINE$lines
    done 3<install.tsv
    printf '%s' "$lines"
}

step() {
    if ! has_release --deployed --failed --pending --superseded --uninstalling; then
        progress "$folder: release $release in namespace $namespace is not installed"
        return 0
    fi
    if [ -z "$DELETE_ALL" ] && holds_unkept; then return 0; fi
    progress "$folder: uninstalling release $release in namespace $namespace"
    code=0
    change_cluster /dev/null uninstall "$release" --namespace "$namespace" --timeout "$TIMEOUT" "$(wait_flag)" || code=$?
    if [ "$code" -ne 0 ]; then failed "$code"; fi
}

holds_unkept() {
    manifest=$(ask_cluster get manifest "$release" --namespace "$namespace") || die "cannot read the manifest of $release"
    objects=$(printf '%s\n' "$manifest" | unkept 'CustomResourceDefinition|Namespace') ||
        die "cannot tell what $release holds"
    if [ -z "$objects" ]; then return 1; fi
    progress "$folder: kept: release $release in namespace $namespace holds what would take other objects with it:"
    printf '%s\n' "$objects" | while IFS= read -r object; do detail "$object"; done
    KEPT="$KEPT $release"
}

failed() {
    if [ -n "$STOPPED" ]; then
        warn "stopped by a signal at $folder; run it again to go on"
        exit "$STOPPED"
    fi
    warn "$folder failed: release $release in namespace $namespace, component $component"
    warn "nothing after it was started. Run it again to go on: releases that are gone are skipped"
    exit "$1"
}

uninstall_all() {
    rows=$(reversed)
    while read_row <&3; do
        chosen || continue
        step
        if [ -n "$STOPPED" ]; then failed "$STOPPED"; fi
    done 3<<ROWS
$rows
ROWS
}

main() {
    parse_options "$@"
    enter_bundle
    check_table
    check_names --only "$ONLY"
    require_tools
    uninstall_all
    if [ -n "$KEPT" ]; then progress "kept releases:$KEPT (to uninstall them too: --delete-crds-and-namespaces)"; fi
    progress "left in place: Namespaces of this bundle, the namespace groundswell, CRDs from charts' crds/ directories"
}

main "$@"
exit
