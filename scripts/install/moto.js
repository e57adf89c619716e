/** Puts moto, an S3 service that the tests of the storage run on, into `.tools/`: `node scripts/install/moto.js`. Quick when it is there already. */

import { join } from 'node:path';
import { ROOT } from '../check/output.js';
import { installTool } from './python-tool.js';

const complaint = installTool('moto', ['-r', join(ROOT, 'test/storage/moto/requirements.txt')]);
if (complaint !== '') {
  console.error(complaint.trimEnd());
  process.exitCode = 1;
}
