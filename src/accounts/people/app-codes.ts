/** Codes of an authenticator app (TOTP, RFC 6238). */

import { Secret, TOTP } from 'otpauth';

/** 160 bits, as RFC 4226 recommends. */
const SECRET_BYTES = 20;

const PERIOD_SECONDS = 30;

/** Accepted steps before and after the current one, because clocks differ. */
const WINDOW_STEPS = 1;

/**
 * A new secret (base32) for a person's app, and the `otpauth:` URI that the app reads as a QR code. Nothing is stored
 * until the second factor is turned on.
 */
export function newSecret(
  email: string,
  secret = new Secret({ size: SECRET_BYTES }).base32,
): { secret: string; uri: string } {
  return { secret, uri: totpOf(secret, email).toString() };
}

/** A code as it is compared. */
export function plainCode(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '').toLowerCase();
}

/** True for a code as the app shows it, right or wrong. Recovery codes have another form. */
export function isAppCode(typed: string): boolean {
  return /^\d{6}$/.test(plainCode(typed));
}

/** The time step for which a code is valid. */
export function acceptedStep(secret: string, code: string): number | undefined {
  const timestamp = Date.now();
  const delta = isAppCode(code) ? totpOf(secret).validate({ token: code, window: WINDOW_STEPS, timestamp }) : null;
  return delta === null ? undefined : Math.floor(timestamp / (PERIOD_SECONDS * 1_000)) + delta;
}

function totpOf(secret: string, label = ''): TOTP {
  return new TOTP({ issuer: 'qrpress', label, period: PERIOD_SECONDS, secret: Secret.fromBase32(secret) });
}
