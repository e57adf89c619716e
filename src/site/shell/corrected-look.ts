/** The look of a corrected code, and the questions about it: the page that changes a code gets them from the studio. */

import type { JobMeta } from '../../contract/request-schema.js';
import type { SourcePlaces } from '../../jobs/source-places.js';
import type { PlacedItem } from './draw-samples.js';
import type { Formats } from './formats.js';
import type { Needs } from './page-dependencies.js';

export interface CorrectedLook {
  meta: JobMeta;
  /** The look whose risks people are asked about: without a resolution where the job's codes are too small in print as well. */
  judged: JobMeta;
  /** The picture has another size than the one that it replaces, which people are asked about. */
  misses: string[];
}

export interface Replacement {
  /** The data of the code that is replaced. */
  replaced: string;
  data: string;
  number: Formats['number'];
  /** The width in print that was ordered for the job, and its resolution. */
  ordered: SourcePlaces['ordered'];
}

export interface Looks {
  /** @param settings those by which the job was drawn */
  lookOfCorrected(
    needs: Needs<'engine'>,
    holder: string,
    settings: JobMeta,
    replacement: Replacement,
  ): Promise<CorrectedLook>;
  /** Reasons not to make a code in this look. */
  risksOf(needs: Needs<'engine'>, holder: string, meta: JobMeta, item: PlacedItem): Promise<string[]>;
}
