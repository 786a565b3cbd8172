#!/usr/bin/env bash
# test_deb.sh BUILD WORK: a bare chroot of this Debian, in which `apt install ./annulus.deb` and `annulus-example`
# give pictures of the LS89 vane. As root; the chroot is made anew each time.
set -uo pipefail
build=$1 work=$2 failed=0
fail() { echo "FAILED: $*"; failed=1; }
for tool in debootstrap unshare dpkg-shlibdeps cpack; do
    command -v $tool >/dev/null || { echo "skipped: no $tool"; exit 77; }
done
((EUID == 0)) || { echo "skipped: a chroot needs root"; exit 77; }
[[ -x $build/bin/annulus && -e $build/manual/man1/annulus.1 ]] || { echo "skipped: not everything is built"; exit 77; }
release=$(. /etc/os-release && echo "${VERSION_CODENAME:-}")
root=$work/root
rm -rf "$work" && mkdir -p "$work"

(cd "$build" && cpack -G DEB -B "$work") >"$work/cpack.log" 2>&1 || { tail "$work/cpack.log"; exit 1; }
debootstrap --variant=minbase "$release" "$root" >"$work/debootstrap.log" 2>&1 ||
    { tail -3 "$work/debootstrap.log"; echo "skipped: no bare system to be had"; exit 77; }
cp "$work"/annulus_*.deb "$root/root/annulus.deb"
cp /etc/resolv.conf "$root/etc/resolv.conf"
before=$(du -sm "$root" | cut -f1)
enter() {
    unshare --mount bash -euc 'mount -t proc proc "$1/proc"; mount --bind /dev "$1/dev"; mount --bind /dev/shm "$1/dev/shm"
        exec chroot "$1" /usr/bin/env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin LANG=C.UTF-8 HOME=/home/guest bash -euc "$2"' _ "$root" "$1"
}
SECONDS=0
enter 'export DEBIAN_FRONTEND=noninteractive; apt-get update; cd /root; apt-get install -y ./annulus.deb; useradd -m guest' \
    >"$work/apt.log" 2>&1 || { tail -5 "$work/apt.log"; fail "apt-get install ./annulus.deb"; exit 1; }
echo "apt install ./annulus.deb: $SECONDS s, $(stat -c %s "$root/root/annulus.deb") bytes of package, $(($(du -sm "$root" | cut -f1) - before)) MB installed"
SECONDS=0
enter "cd /home/guest; $(sed -n 's/^\([A-Z_0-9]*=.*\)/export \1;/p' "$(dirname "$0")/../../tools/mpi_environment")
    su guest -c 'annulus-example --size 0.35 --iterations 600 ls89'" >"$work/example.log" 2>&1 || { tail -20 "$work/example.log"; fail "annulus-example"; }
echo "annulus-example: $SECONDS s"
for picture in convergence blade mach; do
    file=$root/home/guest/ls89/$picture.png
    [[ -s $file && $(stat -c %s "$file") -gt 15000 ]] || fail "$picture.png: $(ls -l "$file" 2>&1)"
done
((failed)) || rm -rf "$root"/{usr,var,lib} # keeps the pictures and the logs
exit $failed
