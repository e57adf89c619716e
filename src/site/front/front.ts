/** `/`: what the service is, sample codes of what a visitor types, and the ways in. No account is needed. */

import type { Context } from 'koa';
import type { JobMeta } from '../../contract/request-schema.js';
import { ApiError } from '../../contract/errors.js';
import { asUnavailable } from '../../jobs/unavailable.js';
import { exampleRequest } from '../shell/example-request.js';
import { drawSamples } from '../shell/draw-samples.js';
import type { Needs } from '../shell/page-dependencies.js';
import { pageState } from '../shell/page-state.js';

/** The name on the pages of a service whose operator has set none. */
const PRODUCT = 'qrpress';

const SAMPLE_TEXT = 'https://example.org/table/1';

/** Characters of a visitor's text: a longer one makes a code that is too dense for this page. */
const MAX_CHARACTERS = 300;

const LOOKS: readonly { name: string; meta: JobMeta }[] = [
  { name: 'plain', meta: { format: 'svg', style: { scale: 4 } } },
  { name: 'in colour', meta: { format: 'svg', style: { scale: 4, foreground: '#1b5a41', background: '#eef5f0' } } },
  { name: 'with a caption', meta: { format: 'svg', style: { scale: 4, caption: { text: 'Scan me', fontSize: 40 } } } },
];

interface Sample {
  name: string;
  /** Data URL of an SVG picture. */
  picture: string;
}

type Samples = Needs<'throttle' | 'admission' | 'engine' | 'folder'>;

/** The samples of the page as it opens. The same for everybody, so they are drawn once. */
const first = new WeakMap<Samples, Promise<Sample[]>>();

export async function showFront(ctx: Context, needs: Needs<'config' | 'view' | 'allowances'> & Samples): Promise<void> {
  const { config, view } = needs;
  const typed = typeof ctx.query['text'] === 'string' ? ctx.query['text'].trim() : '';
  const isOpen = config.signUp === 'open' && config.passwords;
  const hasMailServer = config.mail.smtpUrl !== undefined;
  const { samples, problem } = config.samples ? await samplesOrProblem(ctx, needs, typed) : {};
  view.show(ctx, 'front', {
    title: 'QR codes in bulk',
    samples,
    problem,
    text: typed || SAMPLE_TEXT,
    maxCharacters: MAX_CHARACTERS,
    signUp: isOpen && hasMailServer,
    // The identity provider gives accounts without a mail.
    areGiven: isOpen && !hasMailServer && config.oidc === undefined,
    isUnlimited: config.credits === 'unlimited',
    monthlyCredits: needs.allowances.standard,
    firstCredits: needs.allowances.first,
    operator: config.brand.name === PRODUCT ? undefined : config.brand.name,
    curl: exampleRequest(config.baseUrl, '"Authorization: Bearer $QRPRESS_KEY"'),
  });
}

/** The samples of a visitor's text as JSON. @throws ApiError */
export async function sendSamples(ctx: Context, needs: Needs<'config'> & Samples): Promise<void> {
  const text = typeof ctx.query['text'] === 'string' ? ctx.query['text'].trim() : '';
  ctx.set('Cache-Control', 'no-store');
  ctx.body = needs.config.samples ? await samplesOrProblem(ctx, needs, text) : {};
}

async function samplesOrProblem(
  ctx: Context,
  needs: Samples,
  text: string,
): Promise<{ samples?: Sample[]; problem?: string }> {
  try {
    return { samples: await samplesOf(ctx, needs, text) };
  } catch (thrown) {
    // Without the engine there are no samples; the page has the ways in all the same.
    const error = asUnavailable(thrown) ?? thrown;
    if (!(error instanceof ApiError)) {
      throw error;
    }
    ctx.set(error.headers);
    return { problem: error.message };
  }
}

/** @throws ApiError `rate_limited`, `unavailable`, and as a job with this text would */
async function samplesOf(ctx: Context, needs: Samples, text: string): Promise<Sample[]> {
  if (text === '' || text === SAMPLE_TEXT) {
    const known = first.get(needs) ?? draw(needs, SAMPLE_TEXT, 'the front page');
    first.set(needs, known);
    known.catch(() => first.delete(needs));
    return known;
  }
  if ([...text].length > MAX_CHARACTERS) {
    throw new ApiError('invalid_input', `Up to ${MAX_CHARACTERS} characters can be tried here.`);
  }
  const { client } = pageState(ctx);
  await needs.throttle.sample(client);
  return needs.admission.admit('preview', { address: client }, () => draw(needs, text, client));
}

async function draw({ engine }: Needs<'engine'>, text: string, holder: string): Promise<Sample[]> {
  const samples: Sample[] = [];
  // One after the other: a visitor must not occupy several threads.
  for (const { name, meta } of LOOKS) {
    const { pictures } = await drawSamples({ engine, holder }, meta, [{ data: text }]);
    samples.push({ name, picture: `data:image/svg+xml;base64,${pictures[0]?.toString('base64') ?? ''}` });
  }
  return samples;
}
