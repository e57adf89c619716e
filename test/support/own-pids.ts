/** Programs that see no process ids but their own, as in a container. */

import { spawnSync } from 'node:child_process';

/** The words that start a program so. They end it with the one that starts it. */
export const inOwnPids = (...words: readonly string[]): string[] => [
  'unshare',
  '--pid',
  '--fork',
  '--kill-child',
  '--mount-proc',
  ...words,
];

const [command = '', ...words] = inOwnPids('true');

/** True where the system does not allow that. */
export const lacksOwnPids = spawnSync(command, words).status !== 0;
