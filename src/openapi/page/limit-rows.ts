/** Section 8 of the specification as rows of words. */

import type { Config } from '../../config.js';
import { LIMITS, PICTURES_PER_READ } from '../../contract/limits.js';

export interface LimitRow {
  name: string;
  value: string;
}

export function limitRows({ rateLimits, retentionDays }: Pick<Config, 'rateLimits' | 'retentionDays'>): LimitRow[] {
  const rows: [name: string, value: string][] = [
    ['Items of a JSON job', `1 to ${number(LIMITS.jsonItems)}`],
    ['Items of an NDJSON job', `1 to ${number(LIMITS.ndjsonItems)}`],
    ['JSON body, as sent and decoded', megabytes(LIMITS.jsonBodyBytes)],
    ['NDJSON body, as sent and decoded', megabytes(LIMITS.ndjsonBodyBytes)],
    ["An item's data", characters(LIMITS.dataCharacters)],
    ["An item's filename", characters(LIMITS.filenameCharacters)],
    ['A caption', characters(LIMITS.captionCharacters)],
    ['A name in the archive', characters(LIMITS.archiveNameCharacters)],
    ["A logo's data URL", characters(LIMITS.logoDataUrlCharacters)],
    ["A logo's edge, as a fraction of the code's", between(LIMITS.logoSizeRatio)],
    ['Scale, in pixels per module', between(LIMITS.scale)],
    ['Margin, in modules', between(LIMITS.margin)],
    ["A caption's font size", between(LIMITS.captionFontSize)],
    ['A side of an image', `at most ${number(LIMITS.sidePx)} px`],
    ['Issues that an error lists', `the first ${LIMITS.issues}`],
    ['Creating a job; checking one', `${perMinute(rateLimits.create)} per key, each`],
    ['Every other endpoint', `${perMinute(rateLimits.read)} per key, each`],
    ['Single pictures', `${perMinute(rateLimits.read * PICTURES_PER_READ)} per key`],
    ['Status by signed URL', `${perMinute(LIMITS.linkRequestsPerMinute.status)} per link`],
    ['Download by signed URL', `${perMinute(LIMITS.linkRequestsPerMinute.download)} per link`],
    ['Results and signed URLs are kept', `${retentionDays} days`],
  ];
  return rows.map(([name, value]) => ({ name, value }));
}

const number = (value: number) => value.toLocaleString('en');
const megabytes = (bytes: number) => `at most ${bytes / 1e6} MB (${number(bytes)} bytes)`;
const characters = (count: number) => `at most ${number(count)} characters`;
const perMinute = (count: number) => `${number(count)} requests per minute`;
const between = ({ minimum, maximum }: { minimum: number; maximum: number }) => `${minimum} to ${maximum}`;
