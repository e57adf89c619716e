#!/bin/sh
# Installs the user, the folders, the units and the command `qrpress` of this version. Run it as root, also for an upgrade or a downgrade.
set -eu
cd "$(dirname "$0")"
install -D -m 644 qrpress.sysusers.conf /usr/lib/sysusers.d/qrpress.conf
install -D -m 644 qrpress.tmpfiles.conf /usr/lib/tmpfiles.d/qrpress.conf
install -m 644 *.service *.timer /etc/systemd/system/
install -D -m 755 qrpress.sh /usr/local/bin/qrpress
# Settings stay.
[ -e /etc/qrpress/qrpress.env ] || [ -e /etc/qrpress/scale.env ] || install -D -m 600 ../qrpress.env.example /etc/qrpress/qrpress.env
systemd-sysusers qrpress.conf
systemd-tmpfiles --create qrpress.conf
systemctl daemon-reload
