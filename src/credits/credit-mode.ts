/** The meaning of a balance for what an organisation may spend. */

/** `metered`: an organisation cannot spend more credits than it has. `unlimited`: credits are only counted. */
export const CREDIT_MODES = ['metered', 'unlimited'] as const;
export type CreditMode = (typeof CREDIT_MODES)[number];
