/** The child processes of a process: of the service, its engine. Linux alone. */

import { readFile } from 'node:fs/promises';

/** Their numbers. Empty where the process is gone. */
export async function childProcesses(pid: number): Promise<number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  return text.split(' ').filter(Boolean).map(Number);
}
