/** The events that webhooks can subscribe to. */

export const WEBHOOK_EVENTS = ['job.complete', 'job.failed', 'credits.low'] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];
