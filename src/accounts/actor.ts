/** Actors, as the audit log names them. */

/** A person who acts. */
export interface Actor {
  personId: string;
  /** The client's IP address. */
  address: string;
}

/** Whoever runs the machine, at its command line, acts with every right. The audit log has these words in place of an address. */
export const COMMAND_LINE = { personId: null, address: 'command line' } as const;

/** Whoever changes an organisation: a person, whose role decides, or the command line. */
export type AnyActor = Actor | typeof COMMAND_LINE;
