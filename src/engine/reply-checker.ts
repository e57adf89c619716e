/** The checker of what the engine's process sends. Set-up writes its code in place of this module (`scripts/compile-schemas.js`). */

import { Compile } from 'typebox/compile';
import { EngineReplySchema } from './reply-schema.js';

interface Received {
  /** The name of the task with the message's id. Undefined: there is none. */
  task: string | undefined;
  /** The parsed JSON of a frame, byte arrays aside. */
  message: unknown;
}

export const engineReply = Compile(EngineReplySchema) as { Check(value: Received): boolean };
