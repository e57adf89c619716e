/** One thread of the farm, the only door to the addon. Its arguments: the items of a chunk, then the font folders. */

import * as native from '#native';
import { checkBody } from './check-body.js';
import type { Task, TaskName, TaskOutcome, TaskRequest, TaskValue } from './farm-messages.js';

const [chunkItems, ...fontFolders] = process.argv.slice(2);
native.openFonts(fontFolders);

const run: { [Name in TaskName]: (request: TaskRequest<Name>) => TaskValue<Name> } = {
  check: (request) => checkBody({ ...request, chunkItems: Number(chunkItems) }),
  renderChunk: native.renderChunk,
  finishArchive: native.finishArchive,
  writeHeaders: native.writeHeaders,
  writeEnd: native.writeEnd,
  describe: native.describeEngine,
};

/** Runs `task` to its end, without giving way to anything. */
export function runTask<Name extends TaskName>({ name, request }: Task<Name>): TaskOutcome<Name> {
  try {
    return { value: run[name](request) };
  } catch (error) {
    const { code = 'defect', message } = error as Error & { code?: string };
    return { error: { code, message } };
  }
}
