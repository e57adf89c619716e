/** What form an input file has, by its name. */

import type { BodyForm } from '../render/engine.js';

export type InputForm = { form: BodyForm; contentType: string };

const CONTENT_TYPES = { json: 'application/json', ndjson: 'application/x-ndjson' } as const;

/** The form of a request body; what is not named `.json` is NDJSON, the form that has no size to fear. */
export function inputForm(path: string): InputForm {
  const form = path.toLowerCase().endsWith('.json') ? 'json' : 'ndjson';
  return { form, contentType: CONTENT_TYPES[form] };
}
