/** Installs moto, the S3 service of the storage tests, into `.tools/`: `node scripts/install/moto.js`. Quick if it is installed. */

import { join } from 'node:path';
import { ROOT } from '../check/output.js';
import { installTool } from './python-tool.js';

const complaint = installTool('moto', ['-r', join(ROOT, 'test/storage/moto/requirements.txt')]);
if (complaint !== '') {
  console.error(complaint.trimEnd());
  process.exitCode = 1;
}
