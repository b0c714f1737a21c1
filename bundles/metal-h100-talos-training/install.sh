#!/bin/sh
# Installs or upgrades this bundle with Helm alone, one folder after another: ./install.sh --help
#
# This file is the same in every bundle. What is installed stands in install.tsv and in the folders; both are data to it.
set -eu

usage() {
    cat <<'USAGE'
usage: ./install.sh [options]

  --check              only run the preflight: does this cluster fit the bundle? Writes nothing
  --dry-run            print the commands instead of running them; contacts no cluster
  --from NAME          start at this folder, or at this component's first folder
  --only NAME          only this folder, or this component's folders (can be repeated)
  --resume             skip folders whose content is deployed already
  --recover            end a release that a killed run has left pending, then go on
  --take-ownership     let Helm adopt objects that exist already, Namespaces among them, whoever made them
  --values C=FILE      one more values file for the chart of component C, the last to speak
  --charts DIR         take charts from archives DIR/<chart>-<version>.tgz instead of their repositories
  --skip-constraints   leave out the preflight
  --timeout DURATION   how long each folder may take (default: 10m)
  --no-wait            do not wait until what a folder installs is ready
  --kubeconfig FILE    the cluster's kubeconfig (default: $KUBECONFIG, then ~/.kube/config)
  --context NAME       the context in it
  --help               this text

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

CHECK='' FROM='' RESUME='' RECOVER='' TAKE_OWNERSHIP='' NO_WAIT='' SKIP_CONSTRAINTS='' CHARTS='' VALUES='' OLD_CRDS=''
UNUSED_BY_CHECK=''
MARKER='groundswell-preflight: the cluster does not fit'
EVENTS='groundswell-events:'

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
        --check | --dry-run | --skip-constraints | --kubeconfig | --context | -h | --help) ;;
        *) UNUSED_BY_CHECK="$UNUSED_BY_CHECK $1" ;;
        esac
        case $1 in
        --check) CHECK=yes ;;
        --dry-run) DRY_RUN=yes ;;
        --resume) RESUME=yes ;;
        --recover) RECOVER=yes ;;
        --take-ownership) TAKE_OWNERSHIP=yes ;;
        --skip-constraints) SKIP_CONSTRAINTS=yes ;;
        --no-wait) NO_WAIT=yes ;;
        --from | --only | --timeout | --values | --charts | --kubeconfig | --context)
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
    check_together
}

# An option that would do nothing is refused: its user meant something by it.
check_together() {
    if [ -n "$CHECK" ] && [ -n "$UNUSED_BY_CHECK" ]; then
        usage_error "--check only runs the preflight:$UNUSED_BY_CHECK would do nothing"
    fi
    if [ -n "$DRY_RUN" ] && [ -n "$RESUME$RECOVER" ]; then
        usage_error "--dry-run contacts no cluster, so --resume and --recover would do nothing"
    fi
    if [ -n "$CHECK$SKIP_CONSTRAINTS" ] && [ "$CHECK" = "$SKIP_CONSTRAINTS" ]; then
        usage_error "--check and --skip-constraints leave nothing to do"
    fi
}

take_value() {
    case $1 in
    --from) FROM=$2 ;;
    --only) ONLY=$ONLY$2$NEWLINE ;;
    --timeout) TIMEOUT=$2 ;;
    --values) add_values "$2" ;;
    --charts) CHARTS=$(absolute "$2") ;;
    --kubeconfig) KUBECONFIG_FILE=$(absolute "$2") ;;
    --context) CONTEXT=$2 ;;
    esac
}

# ---- values files of the user: kept as lines COMPONENT=/absolute/path ----

add_values() {
    case $1 in
    *"$NEWLINE"*) usage_error "--values: the path holds a line break" ;;
    ?*=?*) ;;
    *) usage_error "--values takes COMPONENT=FILE: $1" ;;
    esac
    name=${1%%=*}
    if [ -n "$(values_file "$name")" ]; then usage_error "--values: two files for \`$name\`; merge them into one"; fi
    file=$(absolute "${1#*=}")
    if [ ! -r "$file" ] || [ -d "$file" ]; then usage_error "--values: cannot read $file"; fi
    VALUES=$VALUES$name=$file$NEWLINE
}

# Prints the file that --values names for a component.
values_file() {
    printf '%s' "$VALUES" | while IFS= read -r entry; do
        case $entry in
        "$1="*) printf '%s' "${entry#*=}" ;;
        esac
    done
}

check_values() {
    while IFS= read -r entry; do
        if [ -z "$entry" ]; then continue; fi
        name=${entry%%=*}
        known "$name" || unknown_name --values "$name"
        has_chart "$name" || {
            warn "--values: component \`$name\` has no chart; its manifests take their values from the recipe"
            exit 2
        }
    done <<VALUES
$VALUES
VALUES
}

has_chart() {
    while read_row <&3; do
        if [ "$component" = "$1" ] && [ "$chart" != - ]; then return 0; fi
    done 3<install.tsv
    return 1
}

# ---- which folders this run reaches ----

# reaches folder|name|chart [NAME]: whether this run installs any folder, one that NAME names, a chart (of component NAME).
reaches() {
    start=$FROM
    answer=1
    while read_row <&3; do
        wanted || continue
        case $1 in
        folder) answer=0 ;;
        name) if named "$2"; then answer=0; fi ;;
        chart) if [ "$chart" != - ] && [ "${2:-$component}" = "$component" ]; then answer=0; fi ;;
        esac
    done 3<install.tsv
    FROM=$start
    return "$answer"
}

# --from, --only, --values and --charts must each bear on some folder, together with the others.
check_reach() {
    reaches folder || usage_error "--from and --only together leave no folder"
    while IFS= read -r wish; do
        if [ -n "$wish" ]; then reaches name "$wish" || usage_error "--only $wish: it lies before --from $FROM"; fi
    done <<NAMES
$ONLY
NAMES
    while IFS= read -r entry; do
        if [ -z "$entry" ]; then continue; fi
        wish=${entry%%=*}
        reaches chart "$wish" || usage_error "--values $wish: this run does not install the chart of that component"
    done <<VALUES
$VALUES
VALUES
    if [ -n "$CHARTS" ]; then reaches chart || usage_error "--charts: this run installs no chart"; fi
}

# ---- chart archives ----

# Sets `archive`: the chart's archive in --charts DIR, "" when it is not there. A repository may serve 2.0.0 as v2.0.0, and
# files and tags spell `+` as `_`.
find_archive() {
    archive=''
    bare=${version#v}
    for candidate in "$version" "$bare" "v$bare"; do
        for file in "$CHARTS/$chart-$candidate.tgz" "$CHARTS/$chart-$(printf '%s' "$candidate" | tr + _).tgz"; do
            if [ -z "$archive" ] && [ -r "$file" ]; then archive=$file; fi
        done
    done
}

check_archives() {
    [ -n "$CHARTS" ] || return 0
    absent=0
    start=$FROM
    while read_row <&3; do
        wanted || continue
        if [ "$chart" = - ]; then continue; fi
        find_archive
        if [ -n "$archive" ]; then continue; fi
        absent=$((absent + 1))
        warn "--charts: there is no $chart-$version.tgz in $CHARTS (from $repository)"
    done 3<install.tsv
    FROM=$start
    [ "$absent" -eq 0 ] || die "$absent chart archives are missing; nothing was installed"
}

# ---- preflight ----

preflight() {
    set -- install groundswell-preflight ./preflight --namespace groundswell --dry-run=server
    if [ -n "$DRY_RUN" ]; then
        change_cluster /dev/null "$@"
        return 0
    fi
    progress "preflight: does the cluster fit?"
    if output=$(ask_cluster "$@" 2>&1); then
        printf '%s\n' "${output##*"$NEWLINE"NOTES:"$NEWLINE"}"
        return 0
    fi
    case $output in
    *"$MARKER"*)
        findings=${output##*"$MARKER"}
        die "the cluster does not fit this bundle:$findings${NEWLINE}To install all the same: --skip-constraints"
        ;;
    esac
    printf '%s\n' "$output" >&2
    warn "cannot check whether the cluster fits (see above)"
    case $output in
    *nodes*forbidden* | *forbidden*nodes*) die "this user may not list nodes: grant it, or use --skip-constraints" ;;
    esac
    die "the preflight needs a cluster that answers, and the right to list nodes"
}

# ---- one folder ----

has_flag() {
    case ,$flags, in
    *,"$1",*) return 0 ;;
    esac
    return 1
}

# Whether the folder is asked for. Clears FROM at the folder it names.
wanted() {
    if [ -n "$FROM" ]; then
        named "$FROM" || return 1
        FROM=''
    fi
    chosen
}

step() {
    # The clocks here and there may differ a little.
    began=$(($(date +%s) - 60))
    progress "$folder: release $release in namespace $namespace"
    own_values=''
    if [ "$release" = "$component" ]; then own_values=$(values_file "$component"); fi
    # Such a release differs from what the bundle holds, so --resume must never take it for the bundle's.
    if [ -n "$own_values" ]; then digest=own-values; fi
    if [ -z "$DRY_RUN" ]; then
        unstick
        if [ -n "$RESUME" ] && [ -z "$own_values" ] && is_deployed; then
            detail "deployed already"
            return 0
        fi
        note_old_crds
    fi
    cd -- "./$folder" || die "cannot enter $folder"
    code=0
    upgrade || code=$?
    cd -- "$BUNDLE" || die "cannot enter $BUNDLE"
    if [ "$code" -ne 0 ]; then failed "$code"; fi
}

is_deployed() { has_release --deployed --selector "groundswell-digest=$digest"; }

# Sets what names the folder's chart to helm: `reference`, and for a repository `chart_version` and `chart_repository`.
find_chart() {
    chart_version='' chart_repository=''
    if [ "$chart" = - ]; then
        reference=.
    elif [ -n "$CHARTS" ]; then
        find_archive
        reference=$archive
    else
        chart_version=$version
        case $repository in
        oci://*) reference=$repository/$chart ;;
        *) reference=$chart chart_repository=$repository ;;
        esac
    fi
}

# Runs in the folder: relative paths hold no comma, at which helm would split them, and no directory of the bundle can be
# taken for a chart of the same name, as Helm 3 does.
upgrade() {
    input=/dev/null
    find_chart
    set -- upgrade --install "$release" "$reference" --namespace "$namespace"
    if [ -n "$chart_repository" ]; then set -- "$@" --repo "$chart_repository"; fi
    if [ -n "$chart_version" ]; then set -- "$@" --version "$chart_version"; fi
    set -- "$@" --values values.yaml
    if [ -n "$TAKE_OWNERSHIP" ]; then
        if has_flag owns-namespaces; then set -- "$@" --values ../preflight/take-ownership.yaml; fi
        set -- "$@" --take-ownership
    fi
    if [ -n "$own_values" ]; then
        set -- "$@" --values -
        input=$own_values
    fi
    set -- "$@" --reset-values --hide-notes --labels "groundswell-digest=$digest" --timeout "$TIMEOUT"
    if has_flag create-namespace; then set -- "$@" --create-namespace; fi
    if has_flag skip-crds; then set -- "$@" --skip-crds; fi
    if [ -z "$NO_WAIT" ] && ! has_flag no-wait; then set -- "$@" "$(wait_flag)"; fi
    if [ "$HELM_MAJOR" = 4 ]; then set -- "$@" --server-side=false; fi
    change_cluster "$input" "$@"
}

# A release that a killed run left pending refuses every upgrade. Helm cannot tell it from one that is being worked on just
# now, so only the user can order its end.
unstick() {
    if ! has_release --pending --uninstalling --failed; then return 0; fi
    text=$(ask_cluster status "$release" --namespace "$namespace") || die "cannot read the status of release $release"
    state=$(printf '%s\n' "$text" | sed -n 's/^STATUS: *//p')
    revision=$(printf '%s\n' "$text" | sed -n 's/^REVISION: *//p')
    case $state in
    failed)
        recover_first_install
        return 0
        ;;
    pending-install) set_cure_of_install ;;
    pending-upgrade | pending-rollback) cure=rollback revision='' ;;
    uninstalling) cure=uninstall ;;
    *) die "release $release in namespace $namespace is $state; see: helm status $release -n $namespace" ;;
    esac
    if [ -z "$RECOVER" ]; then
        warn "release $release in namespace $namespace is $state: another run is at work on it, or one was killed"
        warn "--recover would first do: helm $cure $release"
        die "if no other run is at work: the same command with --from $folder --recover"
    fi
    recover
}

recover() {
    detail "$state: recovering with helm $cure"
    set -- "$cure" "$release"
    if [ "$cure" = uninstall ]; then
        set -- "$@" "$(wait_flag)"
    else
        if [ -n "$revision" ]; then set -- "$@" "$revision"; fi
        if [ "$HELM_MAJOR" = 4 ]; then set -- "$@" --server-side=false; fi
    fi
    change_cluster /dev/null "$@" --namespace "$namespace" --timeout "$TIMEOUT" || failed $?
}

# After a first install that failed, Helm upgrades: hooks that belong to an installation do not run again.
recover_first_install() {
    [ "$revision" = 1 ] || return 0
    set_cure_of_install
    if [ -n "$RECOVER" ] && [ "$cure" = uninstall ]; then
        recover
    else
        warn "the first installation of $release failed; Helm now upgrades it, without the chart's install hooks"
        if [ "$cure" = uninstall ]; then warn "if the chart has any: --recover takes it back first"; fi
    fi
}

# A half install is taken back before it is repeated, so that its install hooks run, unless that would delete what holds
# other people's data; then it is rolled onto itself.
set_cure_of_install() {
    manifest=$(ask_cluster get manifest "$release" --namespace "$namespace") || die "cannot read the manifest of $release"
    cure=uninstall
    objects=$(printf '%s\n' "$manifest" | unkept 'CustomResourceDefinition|Namespace|PersistentVolumeClaim') ||
        die "cannot tell what $release holds"
    if [ -n "$objects" ]; then cure=rollback; fi
}

# Helm installs what a chart keeps in crds/ once and never updates it.
note_old_crds() {
    has_flag crds-dir || return 0
    has_release --deployed --failed --superseded || return 0
    if [ -z "$own_values" ] && is_deployed; then return 0; fi
    find_chart
    set -- helm show crds "$reference"
    if [ -n "$chart_repository" ]; then set -- "$@" --repo "$chart_repository"; fi
    if [ -n "$chart_version" ]; then set -- "$@" --version "$chart_version"; fi
    command=''
    for argument in "$@"; do command=$command$(quoted "$argument")\ ; done
    OLD_CRDS="$OLD_CRDS $release"
    warn "the CRDs of chart $chart stay as they are: Helm never updates a chart's crds/ directory. To update them:"
    printf '    %s| kubectl apply --server-side --force-conflicts -f -\n' "$command" >&2
}

# Helm may only say that it waited in vain. What the cluster says of it stands in the events of the namespace, which a dry
# run of the preflight chart can read.
show_events() {
    events=''
    set -- install groundswell-events ./preflight --namespace groundswell --dry-run=server
    if output=$(ask_cluster "$@" --set-string "eventsOf=$namespace,eventsSince=$began" 2>/dev/null); then
        case $output in
        *"$EVENTS"*) events=${output##*"$EVENTS"} ;;
        esac
    fi
    if [ -z "$events" ]; then
        warn "where the cause may stand: kubectl get events --namespace $namespace"
        return 0
    fi
    warn "warnings in namespace $namespace since this folder began:$events"
    case $events in
    *"violates PodSecurity"*)
        warn "\`groundswell check\` tells which pods a namespace does not admit, and what to change"
        ;;
    esac
}

failed() {
    if [ -n "$STOPPED" ]; then
        warn "stopped by a signal at $folder"
    else
        warn "$folder failed: release $release in namespace $namespace, component $component"
        show_events
    fi
    warn "no folder after it was started. To go on: the same command with --from $folder, or with --resume"
    if [ -n "$STOPPED" ]; then exit "$STOPPED"; fi
    exit "$1"
}

install_all() {
    while read_row <&3; do
        wanted || continue
        step
        if [ -n "$STOPPED" ]; then failed "$STOPPED"; fi
    done 3<install.tsv
}

main() {
    parse_options "$@"
    enter_bundle
    check_table
    check_names --from "$FROM"
    check_names --only "$ONLY"
    check_values
    check_reach
    require_tools
    check_archives
    if [ -z "$SKIP_CONSTRAINTS" ]; then preflight; fi
    if [ -n "$CHECK" ]; then return 0; fi
    install_all
    if [ -n "$OLD_CRDS" ]; then warn "Helm left the CRDs of these releases as they were (commands above):$OLD_CRDS"; fi
    progress "done"
}

main "$@"
exit
