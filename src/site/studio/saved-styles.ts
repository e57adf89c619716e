/** Styles to start the studio with: the organisation's saved styles, and those of its jobs. */

import type { RouterContext } from '@koa/router';
import { AccountError } from '../../accounts/account-error.js';
import { LIMITS } from '../../contract/limits.js';
import { verifyOf } from '../../jobs/job.js';
import { Form, formOf, seeOther } from '../shell/form.js';
import { pageFormats } from '../shell/formats.js';
import { ItemNames } from '../shell/item-names.js';
import { millimetres } from '../shell/millimetres.js';
import type { Needs } from '../shell/page-dependencies.js';
import { actorOf, membershipOf, personOf, organisationPath } from '../shell/page-state.js';
import { fieldsOf, FIRST_STYLE, jobMetaOf } from './studio-style.js';
import { madeAgain, nextName } from './made-again.js';
import { type StudioPage, showStudio } from './studio-page.js';
import { keptLogoFor, logoOf, metaOf } from './studio-form.js';
import { USUAL_DPI } from './printed-width.js';
import { isSeen } from './unseen-notices.js';

/** Opens the studio with the style in the query, `style` or `job`. */
export async function openStudio(
  ctx: RouterContext,
  needs: Needs<'jobs' | 'jobList' | 'jobReports'> & StudioPage,
): Promise<void> {
  const from = ['style', 'job'].find((kind) => typeof ctx.query[kind] === 'string');
  const source = from === undefined ? undefined : `${from}:${String(ctx.query[from])}`;
  const meta = source === undefined ? {} : await metaOf(ctx, needs, source);
  const { organisationId } = membershipOf(ctx);
  const chosen = from === 'style' ? String(ctx.query['style']) : undefined;
  const job = from === 'job' ? await needs.jobs.find(organisationId, String(ctx.query['job'])) : undefined;
  if (meta === undefined) {
    const whatIsGone = job === undefined ? `This ${from} was deleted.` : 'The list of this job is no longer there.';
    const message = `${whatIsGone} A list that waits in this tab is still in the studio.`;
    throw new AccountError('not_found', message, undefined, { href: ctx.path, label: 'Open the studio' });
  }
  const keptLogo = source === undefined ? '' : keptLogoFor(source, meta);
  const again =
    job &&
    madeAgain(job, await needs.jobReports.allCorrections(job), new ItemNames(job.sourcePlaces, pageFormats(ctx)));
  const keptLogoName = again?.name ?? (chosen && (await needs.styles.find(organisationId, chosen))?.name) ?? '';
  const { ordered } = job?.sourcePlaces ?? {};
  const ofJob = job && {
    verify: job.sourcePlaces?.verify ?? verifyOf(job),
    name: await nextName(job, needs.jobList, organisationId),
    madeFrom: job.id,
    ...(meta.style?.dpi === USUAL_DPI && { dpi: '' }),
    // The scale was found for the width: without it, codes have the usual one again.
    ...(ordered && { ...ordered, scale: String(LIMITS.scale.default) }),
  };
  const kept = { keptLogo, keptLogoName };
  const form = new Form({ ...(source === undefined ? FIRST_STYLE : fieldsOf(meta)), ...kept, ...ofJob });
  await showStudio(ctx, needs, form, 200, { again, chosen });
}

/** Saves the style of the form under a name, after a question where it would replace another one. A page without scripts keeps the rest of the form. */
export async function saveStyle(ctx: RouterContext, needs: Needs<'throttle' | 'jobs'> & StudioPage): Promise<void> {
  const form = formOf(ctx);
  const meta = jobMetaOf(form, await logoOf(ctx, form, needs));
  if (form.get('styleName').trim() === '') {
    form.refuse('styleName', 'Type a name for the style first.');
  }
  const name = form.text('styleName', 'The name of the style', 120);
  const { organisationId } = membershipOf(ctx);
  const replaced = (await needs.styles.list(organisationId)).find((style) => style.name === name);
  if (replaced !== undefined && form.get('replace') !== replaced.id) {
    form.refuse('styleName', `There is a style “${name}”. Replace it for everybody?`);
  }
  if (!form.isValid) {
    await showStudio(ctx, needs, form, 422, { replaced });
    return;
  }
  await needs.throttle.count('style', personOf(ctx).id);
  const widthMm = form.get('widthMm').trim();
  const { sendEmail: _, ...style } = { ...meta, ...(millimetres(widthMm) > 0 && { widthMm }) };
  const id = await needs.styles.save(actorOf(ctx), organisationId, name, style);
  if (isSeen(form)) {
    seeOther(ctx, `${organisationPath(organisationId)}/studio?style=${id}&done=style-saved`);
    return;
  }
  await showStudio(ctx, needs, form.with({ styleName: '' }), 200, { chosen: id, notice: 'The style is saved.' });
}

/**
 * Puts a style into the form of a page without scripts. List and name of the job stay, and so do a caption and a width that are not
 * those of the style before.
 */
export async function chooseStyle(ctx: RouterContext, needs: Needs<'jobs'> & StudioPage): Promise<void> {
  const form = formOf(ctx);
  const id = form.get('style');
  const source = `style:${id}`;
  const meta = await metaOf(ctx, needs, source);
  if (meta === undefined) {
    form.refuse('start', 'This style was deleted. Choose another one.');
    await showStudio(ctx, needs, form, 404);
    return;
  }
  const { organisationId } = membershipOf(ctx);
  const saved = await needs.styles.find(organisationId, id);
  if (saved === undefined) {
    const { foreground = '', background = '' } = fieldsOf(meta);
    const colours = { foreground, background, transparent: '' };
    await showStudio(ctx, needs, form.with(colours), 200, { chosen: id });
    return;
  }
  const before = fieldsOf((await metaOf(ctx, needs, `style:${form.get('chosen')}`)) ?? {});
  const typed = ['caption', 'widthMm', 'version'].filter((name) => !['', before[name]].includes(form.get(name)));
  const fields = form.with({
    transparent: '',
    widthMm: '',
    ...fieldsOf(meta),
    ...Object.fromEntries([...typed, 'format'].map((name) => [name, form.get(name)])),
    keptLogo: keptLogoFor(source, meta),
    keptLogoName: saved.name,
  });
  await showStudio(ctx, needs, fields, 200, { chosen: id, isOtherLogo: true });
}

export async function deleteStyle(ctx: RouterContext, { styles }: Needs<'styles'>): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  await styles.remove(actorOf(ctx), organisationId, ctx.params['styleId'] ?? '');
  seeOther(ctx, `${organisationPath(organisationId)}/studio?done=style-deleted#styles`);
}
