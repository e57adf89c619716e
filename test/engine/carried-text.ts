/** The text that a program in place of the engine's process gives a task's value to carry (`stand-in.js`). */

import type { CheckReport, EngineDescription, RenderChunkReport } from '../../src/engine/engine.js';

export function textOf(value: CheckReport | RenderChunkReport | EngineDescription): string | undefined {
  if ('refusal' in value) return value.refusal.message;
  if ('failures' in value) return value.failures[0]?.message;
  return 'version' in value ? value.version : undefined;
}
