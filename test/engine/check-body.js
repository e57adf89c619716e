/** Checks a body in memory that takes most of 64 KB, and prints what comes of it. Arguments: the paths of body and spool. */

import { EngineSupervisor } from '../../dist/engine/engine-supervisor.js';

const [bodyPath, spoolPath] = process.argv.slice(2);
const items = Array.from({ length: 500 }, (_, item) => ({ data: 'A'.repeat(90), reference: String(item) }));
const body = Buffer.from(JSON.stringify({ items }));
const engine = new EngineSupervisor({ threads: 1, chunkItems: 1_000 });
const { total, code, message } = await engine
  .check({ bodyPath, spoolPath, form: 'json', body, drawIfSmall: true })
  .catch((error) => error);
console.log(JSON.stringify({ total, code, message }));
await engine.close();
