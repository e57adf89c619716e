/** `/account/you/export.json`: what the service keeps about a person, as a file. */

import { Readable } from 'node:stream';
import type { RouterContext } from '@koa/router';
import { audit } from '../../accounts/audit-store.js';
import type { PersonalData } from '../../accounts/people/personal-data-store.js';
import { withinDownload } from '../../admission/download-pace.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, personOf } from '../shell/page-state.js';

export async function exportPerson(
  ctx: RouterContext,
  { admission, database, personalData, throttle }: Needs<'admission' | 'database' | 'personalData' | 'throttle'>,
): Promise<void> {
  const { id } = personOf(ctx);
  await throttle.count('change', id);
  await withinDownload(ctx, admission, { personId: id }, 'export', async () => {
    await audit(database, actorOf(ctx), null, 'data-exported');
    ctx.attachment('qrpress-account.json');
    ctx.body = Readable.from(documentOf(personalData, id), { objectMode: false });
  });
}

/** The document in pieces: there may be many actions. */
async function* documentOf(data: PersonalData, personId: string): AsyncGenerator<string> {
  yield `${JSON.stringify(await data.of(personId)).slice(0, -1)},"actions":[`;
  let separator = '';
  for await (const page of data.actions(personId)) {
    // The last page may be empty.
    if (page.length > 0) {
      yield separator + page.map((action) => JSON.stringify(action)).join(',');
      separator = ',';
    }
  }
  yield ']}\n';
}
