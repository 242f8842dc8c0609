#!/bin/sh
# slurm_node.sh start|stop FOLDER -- this machine as a Slurm cluster of one node, for root: Debian's own
# munged, slurmctld and slurmd, with all that they write in FOLDER. SLURM_CONF=FOLDER/slurm.conf reaches it.
# Without cgroups and without accounting, so nothing outside FOLDER is touched. It stops with who started it.
set -eu
what=$1
mkdir -p "$2"
folder=$(cd "$2" && pwd)
export SLURM_CONF="$folder/slurm.conf"

# ends NAME: the daemon that this folder's NAME.pid names, if it is still one.
ends() {
    pid=$(cat "$folder/$1.pid" 2>/dev/null) || return 0
    [ "$(cat "/proc/$pid/comm" 2>/dev/null)" = "$1" ] || return 0
    kill "$pid" 2>/dev/null || return 0
    tries=0
    while kill -0 "$pid" 2>/dev/null; do
        tries=$((tries + 1))
        if [ $((tries % 100)) -eq 0 ]; then kill -KILL "$pid"; fi
        sleep 0.1
    done
}

stop() {
    if [ -e "$folder/slurmctld.pid" ]; then timeout 100 scancel --state=RUNNING --signal=KILL --full || true; fi
    for daemon in slurmd slurmctld munged; do ends "$daemon"; done
}

# free_port FROM: none that listens now.
free_port() {
    port=$1
    while grep -q ":$(printf %04X "$port") 00000000:0000 0A" /proc/net/tcp; do port=$((port + 2)); done
    echo "$port"
}

start() {
    host=$(hostname -s)
    control=$(free_port 36817)
    mkdir -p "$folder/state" "$folder/spool"
    dd if=/dev/urandom of="$folder/key" bs=128 count=1 2>/dev/null
    chmod 400 "$folder/key"
    cat >"$SLURM_CONF" <<CONF
ClusterName=meshway
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$control
SlurmdPort=$(free_port $((control + 1)))
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket,cred_expire=6
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerParameters=sched_interval=1,sched_min_interval=0,batch_sched_delay=0
ReturnToService=2
MpiDefault=none
MinJobAge=3600
GresTypes=gpu
$(slurmd -C | sed -n 's/ UpTime.*//; s/NodeName=[^ ]*/& NodeAddr=127.0.0.1 Gres=gpu:2/p')
PartitionName=main Nodes=$host Default=YES MaxTime=INFINITE State=UP
CONF
    : >"$folder/gpu0" && : >"$folder/gpu1" # "devices", which Slurm only counts
    echo "Name=gpu File=$folder/gpu[0-1]" >"$folder/gres.conf"
    # --force: FOLDER may lie where others may write.
    munged --force --key-file="$folder/key" --socket="$folder/munge.socket" --pid-file="$folder/munged.pid" \
        --seed-file="$folder/seed" --log-file="$folder/munged.log"
    slurmctld >/dev/null 2>&1
    slurmd >/dev/null 2>&1
    # Nothing outlives who asked for it.
    (setsid sh "$0" watch "$folder" "$PPID" >/dev/null 2>&1 &)
}

watch() {
    while kill -0 "$1" 2>/dev/null; do sleep 1; done
    stop
}

"$what" "${3:-}"
