/**
 * Installs the bundle with systemd as docs/run/install.md does, in a container with its own systemd, and runs a job there:
 * `npm run test:units`. It needs root, debootstrap, systemd-nspawn and a Debian mirror. QRPRESS_TEST_ROOT names a root that
 * `debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus` made earlier.
 */

import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
/** The last line of the machine's log. */
const END = 'the service stopped: success 0';
const PATIENCE_MS = 300_000;

const [install, start, backUp] = ['docs/run/install.md', 'docs/run/backup.md'].flatMap((page) => {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return Array.from(text.matchAll(/^```sh test=units\n(?<commands>[^]*?)^```$/gm), ({ groups }) => groups.commands);
});

const script = `#!/bin/bash
exec > /srv/said 2>&1
trap 'systemctl poweroff' EXIT
set -eux
${install}
${start.replace('journalctl', 'journalctl --no-pager')}
until node -e "fetch('http://127.0.0.1:8080/readyz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"; do sleep 0.2; done
qrpress admin list-organisations
member() { node -e 'console.log(JSON.parse(require("fs").readFileSync(0, "utf8"))[process.argv[1]])' "$1"; }
organisation=$(qrpress admin create-organisation --name Example --owner owner@example.org --credits 10000 --json | member organisationId)
key=$(qrpress admin create-key --organisation "$organisation" --name example --json | member key)
node /opt/qrpress/dist/main.js submit /opt/qrpress/examples/cities.ndjson --url http://127.0.0.1:8080 --key "$key" --out /srv/codes.zip --json
qrpress doctor
qrpress admin verify
${backUp}
test -f /var/backups/qrpress/*/manifest.json
systemctl stop qrpress
set +x
echo "the service stopped: $(systemctl show --value --property Result qrpress) $(systemctl show --value --property ExecMainStatus qrpress)"
`;

const folder = mkdtempSync(join(tmpdir(), 'qrpress-units-'));
try {
  const machine = join(folder, 'machine');
  if (process.env.QRPRESS_TEST_ROOT === undefined) {
    run('debootstrap', ['--variant=minbase', '--include=systemd,systemd-sysv,dbus', 'bookworm', machine]);
  } else {
    run('cp', ['-a', process.env.QRPRESS_TEST_ROOT, machine]);
  }
  run(process.execPath, ['scripts/bundle.js', folder, '--no-archive']);
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  mkdirSync(join(machine, 'opt'), { recursive: true });
  run('sh', ['-c', `mv ${folder}/qrpress-${version}-* ${machine}/opt/qrpress`]);
  cpSync(process.execPath, join(machine, 'usr/bin/node'), { dereference: true });

  const units = join(machine, 'etc/systemd/system');
  writeFileSync(join(machine, 'srv/script'), script, { mode: 0o755 });
  writeFileSync(join(units, 'script.service'), '[Service]\nType=oneshot\nExecStart=/srv/script\n');
  mkdirSync(join(units, 'multi-user.target.wants'), { recursive: true });
  symlinkSync('../script.service', join(units, 'multi-user.target.wants/script.service'));
  const boot = ['--register=no', '--keep-unit', '--private-network', '--directory', machine, '--boot'];
  spawnSync('systemd-nspawn', boot, { stdio: 'ignore', timeout: PATIENCE_MS });

  const said = readFileSync(join(machine, 'srv/said'), 'utf8');
  const isWell = said.trimEnd().endsWith(END) && said.includes('Everything holds.') && !/^FAIL/m.test(said);
  if (!isWell) console.log(said);
  console.log(isWell ? 'ok     installed with systemd, and a job went through it' : 'FAILED see above');
  process.exitCode = isWell ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function run(command, words) {
  execFileSync(command, words, { cwd: ROOT, stdio: ['ignore', 'ignore', 'inherit'] });
}
