#!/usr/bin/env bash
# Runs a command on a Slurm cluster of one node, this machine, that exists for as long as the command runs:
#
#     deploy/slurm/one-node.sh COMMAND [ARGUMENT ...]
#
# For tests. Needs root and Debian's slurm-wlm and munge; touches nothing outside a temporary folder. Exits with 69 if the
# cluster cannot be started, else as the command does.
set -euo pipefail

unavailable() {
    echo "one-node.sh: $*" >&2
    exit 69
}
for program in munged mungekey slurmctld slurmd sinfo; do
    PATH=$PATH:/usr/sbin command -v "$program" >/dev/null || unavailable "$program is not installed"
done
PATH=$PATH:/usr/sbin
[ "$(id -u)" = 0 ] || unavailable "slurmd needs root"

base=$(mktemp -d)
pids=()
stop() {
    for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
    for pid in "${pids[@]}"; do wait "$pid" 2>/dev/null || true; done
    rm -rf "$base"
}
trap stop EXIT
mkdir -m 755 "$base/munge" "$base/state" "$base/spool"
chmod 755 "$base"

mungekey --create --keyfile "$base/munge/key"
munged --foreground --force --socket "$base/munge/socket" --key-file "$base/munge/key" --pid-file "$base/munge/pid" \
    --seed-file "$base/munge/seed" --log-file "$base/munge/log" >"$base/munge/out" 2>&1 &
pids+=($!)

host=$(hostname -s)
cat >"$base/slurm.conf" <<CONF
ClusterName=one-node
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$base/munge/socket
SlurmctldPort=26817
SlurmdPort=26818
StateSaveLocation=$base/state
SlurmdSpoolDir=$base/spool
SlurmctldPidFile=$base/slurmctld.pid
SlurmdPidFile=$base/slurmd.pid
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
MpiDefault=none
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP
CONF
# Where version 1 of control groups is mounted beside version 2, Slurm's own guess fails.
if [ -d /sys/fs/cgroup/memory ]; then
    printf 'CgroupPlugin=cgroup/v1\nCgroupAutomount=no\n' >"$base/cgroup.conf"
fi
export SLURM_CONF=$base/slurm.conf

slurmctld -D >"$base/slurmctld.log" 2>&1 &
pids+=($!)
slurmd -D -N "$host" >"$base/slurmd.log" 2>&1 &
pids+=($!)
for _ in $(seq 150); do
    if sinfo --noheader --format %T 2>/dev/null | grep -q idle; then
        status=0
        "$@" || status=$?
        exit "$status"
    fi
    sleep 0.2
done
tail -n 20 "$base"/*.log "$base/munge/log" "$base/munge/out" >&2 || true
unavailable "the node did not become idle"
