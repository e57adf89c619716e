/** A job that is made again, as the studio tells of it: the place of its list, and its corrected codes. */

import { LIMITS } from '../../contract/limits.js';
import { type Job, titleOf } from '../../jobs/job.js';
import type { JobListStore } from '../../jobs/job-list-store.js';
import { type Correction, MOST_TAKEN } from '../../jobs/job-report-store.js';
import type { ItemNames } from '../shell/item-names.js';

/** Items of a job that a page reads anew, at most: some megabytes. */
const MOST_ITEMS = 20_000;

/** Jobs of a name and a number whose names a new one differs from. */
const MOST_ALIKE = 100;

/** Lines that the page shows in their field. More are a list. */
const MOST_LINES = 200;

/** Corrected codes that a sentence names. */
const MOST_NAMED = 5;

/** A job that is made again. */
export interface MadeAgain {
  id: string;
  name: string;
  /** The page reads its items anew. */
  hasItems: boolean;
  /** Its list was typed, and is shown as lines. */
  hasLines: boolean;
  /** Its list had columns, whose roles it does not know. */
  hasColumns: boolean;
  /** Absent where no code was corrected. */
  corrected?: CorrectedCodes;
}

interface CorrectedCodes {
  /** Such as `2 rows`. */
  count: string;
  isOne: boolean;
  /** Such as `: rows 5 and 9`. Empty where there are many. */
  named: string;
  /** More than a list takes. */
  areTooMany: boolean;
}

/** @param corrections all that the list takes in place of old codes. Undefined: there are too many */
export function madeAgain(job: Job, corrections: readonly Correction[] | undefined, names: ItemNames): MadeAgain {
  const hasItems = job.status === 'complete' && job.total <= MOST_ITEMS && corrections !== undefined;
  const corrected = correctedCodes(corrections, names);
  // A corrected code may have a caption of its own.
  const hasLines = Boolean(job.sourcePlaces?.isTyped) && job.total <= MOST_LINES && corrections?.length === 0;
  const hasColumns = job.sourcePlaces?.unit === 'row';
  return { id: job.id, name: titleOf(job), hasItems, hasLines, hasColumns, ...(corrected && { corrected }) };
}

function correctedCodes(corrections: readonly Correction[] | undefined, names: ItemNames): CorrectedCodes | undefined {
  const { counted, number } = names.formats;
  const { unit } = names.parts(corrections?.[0]?.correctedItem ?? 0);
  if (corrections === undefined) {
    return { count: `More than ${number(MOST_TAKEN)} ${unit}s`, isOne: false, named: '', areTooMany: true };
  }
  const items = corrections.map(({ correctedItem }) => correctedItem).toSorted((one, other) => one - other);
  const [first] = items;
  if (first === undefined) {
    return undefined;
  }
  const isOne = items.length === 1;
  const list = () => `: ${isOne ? names.name(first) : names.list(items)}`;
  return {
    count: counted(items.length, unit),
    isOne,
    named: items.length > MOST_NAMED ? '' : list(),
    areTooMany: false,
  };
}

/** A name for a job that is made again, such as `Tables (2)`: no other job that is listed has it. */
export async function nextName(job: Job, jobList: JobListStore, organisationId: string): Promise<string> {
  const title = titleOf(job);
  // A year is part of the name.
  const [, stem = title, last = '1'] = /^(.+) \((\d{1,2})\)$/su.exec(title) ?? [];
  const until = await jobList.searchEnd(organisationId, {});
  const alike = await jobList.page(organisationId, { search: stem, until, limit: MOST_ALIKE });
  const taken = new Set(alike.map(({ name }) => name));
  const named = (number: number) => {
    const suffix = ` (${number})`;
    const kept = [...stem].slice(0, LIMITS.jobNameCharacters - suffix.length).join('');
    return kept.trimEnd() + suffix;
  };
  let number = Number(last) + 1;
  while (taken.has(named(number))) number += 1;
  return named(number);
}
