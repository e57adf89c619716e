/** `/account/o/…/studio`: the form that becomes a job. */

import type { RouterContext } from '@koa/router';
import { LIMITS } from '../../contract/limits.js';
import { FORMATS, type JobMeta } from '../../contract/request-schema.js';
import { newRowId } from '../../database/row-id.js';
import type { ReadSpreadsheetReport } from '../../engine/engine.js';
import { Form } from '../shell/form.js';
import { pageFormats } from '../shell/formats.js';
import type { Needs } from '../shell/page-dependencies.js';
import { membershipOf } from '../shell/page-state.js';
import { LOGO_BYTES, SENT_FILE_BYTES, type SentFile, sentFile, uploadOf } from '../shell/uploads.js';
import { PRESSES } from './changed-lines.js';
import { CHOICE_WORDS } from './choice-words.js';
import { offeredKind } from './offered-kind.js';
import { areFound } from './shown-choices.js';
import { encodingNotice } from './studio-body.js';
import type { MadeAgain } from './made-again.js';
import { PRINTERS_DPI } from './printed-width.js';
import { NO_PRINTER } from './printed-width-words.js';
import type { SkipOffers } from './spreadsheet-choices.js';
import { countryOfRow } from './table-questions.js';
import { isSeen, type UnseenNotices } from './unseen-notices.js';
import { curlOf, FIRST_STYLE, jobMetaOf, LOGO_PERCENT, STARTING_STYLES } from './studio-style.js';

interface Shown {
  problems?: readonly string[];
  table?: ReadSpreadsheetReport | undefined;
  /** The kind that the page chooses, of which the table is. */
  kind?: string | undefined;
  offers?: SkipOffers;
  /** The list of an earlier step, where the one that was sent is none. */
  keptList?: SentFile | undefined;
  unseen?:
    | Pick<
        UnseenNotices,
        'notices' | 'risks' | 'isScanInDoubt' | 'key' | 'total' | 'printedWidthMm' | 'drawn' | 'actions'
      >
    | undefined;
  again?: MadeAgain | undefined;
  /** The id of the style that the form started with. */
  chosen?: string | undefined;
  /** The logo that was sent is not that of the style that was chosen. */
  isOtherLogo?: boolean;
  notice?: string;
  /** The saved style that the form would replace. */
  replaced?: { id: string; name: string } | undefined;
}

/** The words for the scripts. */
const WORDS_ATTRIBUTE = attributeOf({ ...CHOICE_WORDS, presses: PRESSES });

export type StudioPage = Needs<'ledger' | 'organisations' | 'styles' | 'view' | 'config'>;

export async function showStudio(
  ctx: RouterContext,
  { ledger, organisations, styles, view, config }: StudioPage,
  form: Form,
  status = 200,
  { problems = [], table, kind, offers, keptList, unseen, isOtherLogo = false, ...others }: Shown = {},
): Promise<void> {
  const { organisationId } = membershipOf(ctx);
  const [organisation, saved] = await Promise.all([organisations.find(organisationId), styles.list(organisationId)]);
  const balance = organisation?.balance ?? 0;
  // With scripts the page still has them.
  const [sentList, sentLogo] = isSeen(form)
    ? []
    : await Promise.all(['file', 'logo'].map((name) => sentFile(ctx, name)));
  // The controls may be what is wrong with the form.
  const meta = jobMetaOf(new Form({ ...FIRST_STYLE }));
  const ofWidth = [form.error('widthMm') ?? '', ...(unseen?.risks ?? [])];
  view.show(ctx, 'studio', {
    title: 'Studio',
    section: 'studio',
    status,
    form,
    problems,
    table,
    kind: kind ?? form.get('kind'),
    offer: kind === undefined ? offeredKind(form, table) : undefined,
    areFound: areFound(form),
    shownFile: uploadOf(ctx, 'file')?.name,
    ...offers,
    ...others,
    unseen,
    // The choice that they name is out of sight.
    noPrinter: ofWidth.some((text) => text.includes(NO_PRINTER)) ? NO_PRINTER : undefined,
    styles: saved,
    tiles: [
      ...STARTING_STYLES.map((style) => tileOf(style)),
      ...saved.map((style) => ({ ...tileOf(style), isSaved: true })),
    ],
    balance,
    isUnlimited: ledger.isUnlimited,
    // `insufficient_credits`: the balance was high enough when the page was opened.
    isShort: status === 402 || (!ledger.isUnlimited && balance < (unseen?.total ?? 0)),
    ownerEmail: organisation?.ownerEmail,
    logoBytes: LOGO_BYTES,
    sent: { file: keptList ?? sentList, logo: isOtherLogo || form.error('logo') !== undefined ? undefined : sentLogo },
    sentFileBytes: SENT_FILE_BYTES,
    limits: { ...LIMITS, logoPercent: LOGO_PERCENT },
    pictureFormats: FORMATS,
    printers: PRINTERS_DPI.map(String),
    words: CHOICE_WORDS,
    wordsAttribute: WORDS_ATTRIBUTE,
    encodingNotice: table && encodingNotice(table),
    countryOfRow: table && countryOfRow(table, pageFormats(ctx)),
    curl: curlOf(config.baseUrl, meta),
    submission: newRowId(),
  });
}

/** JSON as the value of an attribute in single quotes, where a double quote takes one byte instead of six. */
function attributeOf(value: unknown): string {
  return JSON.stringify(value).replaceAll('&', '&amp;').replaceAll("'", '&#39;');
}

/** A style as a small picture. */
function tileOf({ id, name, meta: { style = {} } }: { id: string; name: string; meta: JobMeta }) {
  const { foreground = '#000000', background = '#ffffff', logo, caption } = style;
  return { id, name, foreground, background, hasLogo: logo !== undefined, caption: caption?.text };
}
