/** Finds an existing style from a form's reference: `style:ID` for a saved style, `job:ID` for that of a job. */

import type { RouterContext } from '@koa/router';
import { ApiError } from '../contract/errors.js';
import type { JobMeta } from '../contract/request-schema.js';
import type { PageDependencies } from './page-dependencies.js';
import { membershipOf } from './page-state.js';

/** Undefined when it no longer exists. */
export async function metaOf(
  ctx: RouterContext,
  { styles, jobs }: Pick<PageDependencies, 'styles' | 'jobs'>,
  source: string,
): Promise<JobMeta | undefined> {
  const { organisationId } = membershipOf(ctx);
  const [kind, id = ''] = source.split(':');
  if (kind === 'style') {
    return (await styles.find(organisationId, id))?.meta;
  }
  const job = await jobs.find(organisationId, id);
  try {
    return job && (await jobs.meta(job));
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) {
      return undefined;
    }
    throw error;
  }
}
