/** Installs schemathesis into `.tools/`: `node scripts/install/schemathesis.js`. Quick if it is installed. */

import { join } from 'node:path';
import { ROOT } from '../check/output.js';
import { installTool } from './python-tool.js';

const complaint = installTool('schemathesis', ['-r', join(ROOT, 'test/api/docs/schemathesis/requirements.txt')]);
if (complaint !== '') {
  console.error(complaint.trimEnd());
  process.exitCode = 1;
}
