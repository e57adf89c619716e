/** Codes on sheets of labels: a PDF that is drawn from a spool while it is read, part by part, and never stored. */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { checkFit, type ItemList, type LabelFit } from '../../contract/label-fit.js';
import { checkShift } from '../../contract/label-shift.js';
import {
  type ItemRange,
  type LabelLayout,
  type LabelLook,
  type SettledLayout,
  together,
  within,
} from '../../contract/label-request.js';
import { LIMITS } from '../../contract/limits.js';
import type { ChunkRange, Engine, LabelChunk } from '../../engine/engine.js';
import { temporaryFolder } from '../../platform/disk.js';
import type { BlobStore } from '../../storage/blob-store.js';
import { type FileRanges, streamed } from '../../storage/file-range.js';
import type { ChunkPlace } from '../chunk-store.js';
import { chunkSpool } from './job-files.js';

/** The engine's part in a file of labels. */
export type LabelEngine = Pick<Engine, 'planLabels' | 'measureLabels' | 'drawLabels'>;

/** Labels this many times as wide as high have room beside their code. */
const WIDE = 1.6;

/** Of so many texts, one may have smaller letters than the others, or a broken word. */
const TEXTS_TO_AN_EXCEPTION = 20;

/** A difference between codes that matters. */
const SIZE_STEP_UM = 500;

/** The first items, which decide for all: to measure a million takes half a minute. */
const DECIDING_ITEMS = 10_000;

export interface Labelled<Layout extends LabelLayout = SettledLayout> {
  engine: LabelEngine;
  /** Folder for temporary files. */
  scratch: string;
  /** Reads the temporary files. */
  ranges: FileRanges;
  layout: Layout;
  spool: LabelSpool;
  /** The organisation whose labels they are. Several take turns. */
  holder?: string;
}

/** The records of a job. */
interface LabelSpool {
  /** The items of each chunk, in order. */
  readonly chunks: readonly ItemRange[];
  /** Runs `work` with the chunks that hold some of these items, as local files. */
  withChunks<T>(items: readonly ItemRange[], work: (chunks: LabelChunk[]) => Promise<T>): Promise<T>;
}

/**
 * The look of the labels: where the request leaves it open, one place and one size of the captions and one size of the codes, as suits
 * the items of the job, whichever of them are drawn.
 * @param signal ends the work between two chunks
 */
export async function settleLook(labelled: Labelled<LabelLayout>, signal?: AbortSignal): Promise<LabelLook> {
  const endItem = Math.min(labelled.spool.chunks.at(-1)?.endItem ?? 0, DECIDING_ITEMS);
  const items = [{ firstItem: 0, endItem }];
  const { layout } = labelled;
  const measure: Measure = (look) => leastFitOf({ ...labelled, layout: { ...layout, ...look, items } }, signal);
  const captions = await settleCaptions(layout, measure);
  return { ...captions, ...(layout.sizeUm === undefined && (await settleSize(captions, measure))) };
}

/** Measures the items that decide. */
type Measure = (look: LabelLook) => Promise<LabelFit>;

async function settleCaptions(
  { sheet, caption, captionSizeTenths }: LabelLayout,
  measure: Measure,
): Promise<LabelLook> {
  if (caption === 'none' || (captionSizeTenths !== undefined && caption !== 'auto')) {
    return { caption };
  }
  const isNarrow = sheet.labelWidthUm < WIDE * sheet.labelHeightUm;
  if (caption === 'below' || (caption === 'auto' && isNarrow)) {
    return { caption: 'below', ...commonStep(await measure({ caption: 'below' })) };
  }
  const beside = await measure({ caption: 'beside' });
  const exceptions = exceptionsOf(beside);
  if (caption === 'auto' && (beside.misfits.count > 0 || beside.broken.count > exceptions)) {
    const below = await measure({ caption: 'below' });
    const fitting = below.misfits.count - beside.misfits.count;
    if (fitting < 0 || (fitting === 0 && beside.broken.count - below.broken.count > exceptions)) {
      const look = { caption: 'below', ...commonStep(below) } as const;
      return (await smallerBeside(beside, await measure(look), measure)) ?? look;
    }
  }
  return { caption: 'beside', ...commonStep(beside) };
}

/** Captions beside codes that leave them room for their words, where these codes are still larger than those above captions. */
async function smallerBeside(beside: LabelFit, below: LabelFit, measure: Measure): Promise<LabelLook | undefined> {
  let [least, most] = [below.leastEdgeUm ?? 0, beside.mostEdgeUm ?? 0];
  let found: LabelLook | undefined;
  while (most - least > SIZE_STEP_UM) {
    const look = { caption: 'beside', largestUm: Math.ceil((least + most) / 2) } as const;
    const fit = await measure(look);
    const isWhole = fit.misfits.count <= below.misfits.count && fit.broken.count <= exceptionsOf(fit);
    [least, most] = isWhole ? [look.largestUm, most] : [least, look.largestUm];
    if (isWhole) found = { ...look, ...commonStep(fit) };
  }
  return found;
}

/** The step that all captions have but a few smaller ones. */
function commonStep(fit: LabelFit): Pick<LabelLook, 'largestStep'> {
  const exceptions = exceptionsOf(fit);
  let smaller = 0;
  const common = fit.captions.findIndex((count) => (smaller += count) > exceptions);
  return common >= 0 ? { largestStep: common } : {};
}

function exceptionsOf({ captions }: LabelFit): number {
  return Math.floor(captions.reduce((sum, count) => sum + count, 0) / TEXTS_TO_AN_EXCEPTION);
}

/** The size for which every label has room, unless modules would be narrower in it than is advised. */
async function settleSize(look: LabelLook, measure: Measure): Promise<Pick<LabelLook, 'largestUm'>> {
  const fit = await measure(look);
  const { leastEdgeUm: largestUm } = fit;
  if (largestUm === undefined || fit.mostEdgeUm === largestUm) {
    return {};
  }
  const same = await measure({ ...look, largestUm });
  const leastNm = Math.min(LIMITS.labelModuleMm.advised * 1e6, fit.moduleNm);
  return same.misfits.count <= fit.misfits.count && same.moduleNm >= leastNm ? { largestUm } : {};
}

/**
 * Measures every code on its label, before anything is drawn.
 * @param wishes what was asked for
 * @param signal ends the work between two chunks
 * @throws LabelMisfit if a code does not fit, would be too small to be read, or is moved off the page
 */
export async function measureLabels(labelled: Labelled, wishes: LabelLayout, signal?: AbortSignal): Promise<LabelFit> {
  const least = await leastFitOf(labelled, signal);
  checkFit(least, wishes);
  checkShift(least, wishes);
  return least;
}

async function leastFitOf({ engine, layout, spool, holder }: Labelled, signal?: AbortSignal): Promise<LabelFit> {
  let least: LabelFit | undefined;
  for (const chunk of spool.chunks) {
    signal?.throwIfAborted();
    const items = within(layout.items, chunk);
    if (items.length === 0) {
      continue;
    }
    const measured = { ...layout, items };
    const fit = await spool.withChunks(items, (chunks) => engine.measureLabels({ layout: measured, chunks, holder }));
    least = least === undefined ? fit : leastFit(least, fit);
  }
  if (least === undefined) {
    throw new Error('labels: no chunk has their items');
  }
  return least;
}

/** The fit of two groups of items together. */
function leastFit(one: LabelFit, other: LabelFit): LabelFit {
  const narrow = other.moduleNm < one.moduleNm ? other : one;
  const smallest = (other.leastEdgeUm ?? Infinity) < (one.leastEdgeUm ?? Infinity) ? other : one;
  const { tightestItem, largestEdgeUm } = other.largestEdgeUm < one.largestEdgeUm ? other : one;
  const crowdedItem = one.crowdedItem ?? other.crowdedItem;
  return {
    ...narrow,
    tightestItem,
    largestEdgeUm,
    smallestItem: smallest.smallestItem,
    ...(smallest.leastEdgeUm !== undefined && {
      leastEdgeUm: smallest.leastEdgeUm,
      mostEdgeUm: Math.max(one.mostEdgeUm ?? 0, other.mostEdgeUm ?? 0),
    }),
    printed: {
      leftUm: Math.min(one.printed.leftUm, other.printed.leftUm),
      topUm: Math.min(one.printed.topUm, other.printed.topUm),
      rightUm: Math.max(one.printed.rightUm, other.printed.rightUm),
      bottomUm: Math.max(one.printed.bottomUm, other.printed.bottomUm),
    },
    ...(crowdedItem !== undefined && { crowdedItem }),
    misfits: joined(one.misfits, other.misfits),
    broken: joined(one.broken, other.broken),
    captions: one.captions.map((count, step) => count + (other.captions[step] ?? 0)),
  };
}

function joined(one: ItemList, other: ItemList): ItemList {
  const ranges = together([...one.ranges, ...other.ranges]).slice(0, LIMITS.labelRanges);
  return { count: one.count + other.count, ranges };
}

/** The file, drawn while it is read. Removes its temporary files when the stream ends or is destroyed. */
export function labelFile(labelled: Labelled): Readable {
  return streamed(labelParts(labelled));
}

/** Draws one part ahead of its reader. */
async function* labelParts(labelled: Labelled): AsyncGenerator<Buffer> {
  await using folder = await temporaryFolder(labelled.scratch);
  const parts = await labelled.engine.planLabels(labelled.layout);
  const draw = (part: number, offset: number) => {
    const items = parts[part];
    return items && drawPart(labelled, { items, part, offset, folder: folder.path });
  };
  let ahead = draw(0, 0);
  try {
    for (let part = 1, offset = 0; ahead !== undefined; part += 1) {
      const { path, bytes }: DrawnPart = await ahead;
      offset += bytes;
      ahead = draw(part, offset);
      // Keeps an early error from being thrown: it is met when the part is.
      ahead?.catch(() => undefined);
      yield* labelled.ranges.read(path, 0, bytes - 1);
      await rm(path);
    }
  } finally {
    // The engine writes into the folder until then.
    await ahead?.catch(() => undefined);
  }
}

interface DrawnPart {
  path: string;
  bytes: number;
}

interface PartRequest {
  items: readonly ItemRange[];
  part: number;
  /** Length of the parts before it. */
  offset: number;
  folder: string;
}

async function drawPart(
  { engine, layout, spool, holder }: Labelled,
  { items, part, offset, folder }: PartRequest,
): Promise<DrawnPart> {
  const [path, entriesPath] = [join(folder, `part-${part}`), join(folder, 'entries')];
  const bytes = await spool.withChunks(items, (chunks) =>
    engine.drawLabels({ layout, chunks, part, offset, partPath: path, entriesPath, holder }),
  );
  return { path, bytes };
}

export class StoredSpool implements LabelSpool {
  readonly chunks: readonly (ItemRange & { place: ChunkPlace })[];
  readonly #storage: BlobStore;
  readonly #scratch: string;
  readonly #jobId: string;

  constructor(
    { storage, scratch }: { storage: BlobStore; scratch: string },
    jobId: string,
    places: readonly ChunkPlace[],
  ) {
    this.#storage = storage;
    this.#scratch = scratch;
    this.#jobId = jobId;
    this.chunks = places.map((place) => ({ ...rangeOf(place), place }));
  }

  async withChunks<T>(items: readonly ItemRange[], work: (chunks: LabelChunk[]) => Promise<T>): Promise<T> {
    await using folder = await temporaryFolder(this.#scratch);
    const local: LabelChunk[] = [];
    for (const { place } of holding(this.chunks, items)) {
      const { key, ranges, spoolOffset } = chunkSpool(this.#jobId, place.position, place);
      const path = join(folder.path, `spool-${place.position}`);
      const spoolPath = await this.#storage.materialise(key, path, ranges);
      const { firstItem, itemCount, spoolBytes } = place;
      local.push({ spoolPath, range: { firstItem, itemCount, spoolOffset, spoolBytes } });
    }
    // Must be awaited here: the folder ends with this scope.
    return await work(local);
  }
}

/** A spool that is a file of this machine. */
export class LocalSpool implements LabelSpool {
  readonly chunks: readonly (ItemRange & { place: LabelChunk })[];

  constructor(spoolPath: string, chunks: readonly ChunkRange[]) {
    this.chunks = chunks.map((range) => ({ ...rangeOf(range), place: { spoolPath, range } }));
  }

  withChunks<T>(items: readonly ItemRange[], work: (chunks: LabelChunk[]) => Promise<T>): Promise<T> {
    return work(holding(this.chunks, items).map(({ place }) => place));
  }
}

/** The chunks that hold some of the items. */
function holding<Chunk extends ItemRange>(chunks: readonly Chunk[], items: readonly ItemRange[]): Chunk[] {
  return chunks.filter((chunk) => within(items, chunk).length > 0);
}

function rangeOf({ firstItem, itemCount }: Pick<ChunkRange, 'firstItem' | 'itemCount'>): ItemRange {
  return { firstItem, endItem: firstItem + itemCount };
}
