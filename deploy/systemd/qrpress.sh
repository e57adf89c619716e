#!/bin/sh
# For /usr/local/bin/qrpress: runs a command as the service's user, with its settings, such as `qrpress doctor`. Only root may do so.
# Where there is a scale.env, as several processes have it, its settings count. Relative paths begin in /var/lib/qrpress.
exec systemd-run --pipe --wait --collect --quiet --uid qrpress --property UMask=0077 \
  --property StateDirectory=qrpress --property StateDirectoryMode=0700 --property WorkingDirectory=/var/lib/qrpress \
  --property EnvironmentFile=-/etc/qrpress/qrpress.env --property EnvironmentFile=-/etc/qrpress/scale.env \
  --setenv QRPRESS_DATA_DIR=/var/lib/qrpress /usr/bin/node /opt/qrpress/dist/main.js "$@"
