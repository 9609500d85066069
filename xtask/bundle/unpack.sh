# Read by run-tests and run-benches: unpacks the executables of the bundle in $here, once.

# give_up MESSAGE: ends the script.
give_up() {
    echo "${0##*/}: $1" >&2
    exit 1
}

# unpack: sets $programs to the folder that has tests/, benches/ and bin/ afterwards.
unpack() {
    archive=$here/executables.tar.xz
    programs=$here
    if [ ! -f "$archive" ] || [ ! -r "$archive" ]; then
        give_up "there is no $archive, or it cannot be read: copy the bundle again"
    fi
    sum=$(cksum 2>&1 <"$archive") || give_up "$archive: $sum"
    # Each folder says which archive it is from: a bundle may be copied over an older one.
    before=$(cat "$here/tests/.cksum" 2>/dev/null)
    [ "$before" != "$sum" ] || return 0

    command -v xz >/dev/null || give_up "xz is not there, which unpacks $archive: install xz-utils"
    if unpacking=$(mktemp -d "$here/unpacking.XXXXXX" 2>/dev/null); then
        :
    elif unpacking=$(mktemp -d "${TMPDIR:-/tmp}/tribin.XXXXXX" 2>/dev/null); then
        unpacking=$(cd "$unpacking" && pwd)
        programs=$unpacking
    else
        give_up "neither $here nor ${TMPDIR:-/tmp} can be written: TMPDIR names another folder"
    fi
    trap 'rm -rf "$unpacking"' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    said=$(LC_ALL=C tar -xJf "$archive" -C "$unpacking" 2>&1) || give_up \
        "$archive cannot be unpacked ($(printf '%s\n' "$said" | grep . | head -n 1)): if it is damaged, copy it again"
    [ -x "$unpacking/bin/tribin" ] || give_up \
        "programs cannot be run in ${unpacking%/*}: if it is mounted noexec, use another folder (for a read-only bundle, TMPDIR names it)"
    for folder in bin benches tests; do
        echo "$sum" >"$unpacking/$folder/.cksum"
    done
    [ "$programs" = "$here" ] || return 0

    [ -z "$before" ] || rm -rf "$here/tests" "$here/benches" "$here/bin"
    # tests/ is last: where it is, the others are. A folder that is there already is not replaced;
    # it is the same one if another run was faster.
    for folder in bin benches tests; do
        mv -f "$unpacking/$folder" "$here/" 2>/dev/null
        [ "$(cat "$here/$folder/.cksum" 2>/dev/null)" = "$sum" ] || give_up \
            "$here/$folder is not what $archive has: remove it"
    done
    rm -rf "$unpacking"
}
