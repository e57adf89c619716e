/** One thread of the farm, the only door to the addon. Its arguments are the font folders. */

import * as native from '#native';
import { checkBody } from './check-body.js';
import type { Task, TaskName, TaskOutcome, TaskRequest, TaskValue } from './farm-messages.js';

native.openFonts(process.argv.slice(2));

const run: { [Name in TaskName]: (request: TaskRequest<Name>) => TaskValue<Name> } = {
  check: checkBody,
  renderChunk: native.renderChunk,
  finishArchive: native.finishArchive,
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
