/** Styles to start the studio with: the organisation's saved styles, and those of its jobs. */

import type { RouterContext } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import { Form, formOf, seeOther } from '../form.js';
import type { PageDependencies } from '../page-dependencies.js';
import { actorOf, membershipOf, personOf } from '../page-state.js';
import { logoOf, metaOf, showStudio } from './studio.js';
import { fieldsOf, jobMetaOf } from './studio-style.js';
import { organisationPath } from '../view.js';

/** Opens the studio with the style in the query, `style` or `job`. */
export async function openStudio(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const from = ['style', 'job'].find((kind) => typeof ctx.query[kind] === 'string');
  const source = from === undefined ? undefined : `${from}:${String(ctx.query[from])}`;
  const meta = source === undefined ? {} : await metaOf(ctx, dependencies, source);
  if (meta === undefined) {
    throw new AccountError('not_found', 'This style was deleted.');
  }
  const keptLogo = source !== undefined && meta.style?.logo !== undefined ? source : '';
  await showStudio(ctx, dependencies, new Form({ ...fieldsOf(meta), keptLogo }));
}

/** Saves the style of the form under a name. Ignores its file and lines. */
export async function saveStyle(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const form = formOf(ctx);
  const meta = jobMetaOf(form, await logoOf(ctx, form, dependencies));
  const name = form.text('styleName', 'The name of the style', 120);
  if (!form.isValid) {
    await showStudio(ctx, dependencies, form, 422);
    return;
  }
  await dependencies.throttle.count('style', personOf(ctx).id);
  const { organisationId } = membershipOf(ctx);
  const { sendEmail: _, ...style } = meta;
  const id = await dependencies.styles.save(actorOf(ctx), organisationId, name, style);
  seeOther(ctx, `${organisationPath(organisationId)}/studio?style=${id}&done=style-saved`);
}

export async function deleteStyle(ctx: RouterContext, dependencies: PageDependencies): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  await dependencies.styles.remove(actorOf(ctx), organisationId, ctx.params['styleId'] ?? '');
  seeOther(ctx, `${organisationPath(organisationId)}/studio?done=style-deleted#styles`);
}
