/** Installs the peers of `npm run bench -- labels` into `.tools/`: `node scripts/install/label-peers.js`. */

import { output } from '../check/output.js';
import { installTool, toolFolder } from './python-tool.js';

const complaint =
  installTool('label-peers', ['reportlab==4.4.4', 'qrcode==8.2']) ||
  output('npm', ['install', '--silent', '--ignore-scripts', '--prefix', toolFolder('label-peers'), 'pdfkit@0.20.2']);
if (complaint !== '') {
  console.error(complaint.trimEnd());
  process.exitCode = 1;
}
