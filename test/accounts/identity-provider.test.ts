/** When the service reads the addresses and keys of the company's identity provider again. */

import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AccountError } from '../../src/accounts/account-error.js';
import { IdentityProvider } from '../../src/accounts/people/identity-provider.js';
import { startIdentityProvider, type TestProvider } from '../support/identity-provider.js';

let tested: TestProvider;
let provider: IdentityProvider;
const failures: unknown[] = [];
const fetched = vi.spyOn(globalThis, 'fetch');
beforeEach(async () => {
  tested = await startIdentityProvider();
  const { issuer, clientId, clientSecret } = tested;
  const redirectUri = 'http://127.0.0.1/callback';
  provider = new IdentityProvider({
    issuer,
    clientId,
    clientSecret,
    redirectUri,
    onFailure: (error) => failures.push(error),
  });
  fetched.mockClear();
  vi.useFakeTimers({ toFake: ['Date'] });
});
afterEach(async () => {
  vi.useRealTimers();
  await tested.close();
});

const discoveries = () =>
  fetched.mock.calls.filter(([url]) => (url as URL | string).toString().includes('/.well-known/')).length;

const later = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);

test('each hour, and goes on with what it knows while the provider is away', async () => {
  await provider.begin();
  later(3_500);
  await Promise.all([provider.begin(), provider.begin()]);
  expect(discoveries()).toBe(1);
  later(200);
  await Promise.all([provider.begin(), provider.begin()]);
  expect(discoveries()).toBe(2);
  later(3_700);
  fetched.mockRejectedValueOnce(new Error('away'));
  const { url } = await provider.begin();
  expect(new URL(url).origin).toBe(tested.issuer);
  expect(failures.at(-1)).toMatchObject({ cause: { message: 'away' } });
  expect(discoveries()).toBe(3);
});

test('after a sign-in that failed, but not for each of many', async () => {
  const { attempt } = await provider.begin();
  const fail = () => provider.finish(new URLSearchParams({ code: 'made-up', state: attempt.state }), attempt);
  await expect(fail()).rejects.toThrow(AccountError);
  await provider.begin();
  expect(discoveries()).toBe(1);
  later(61);
  await provider.begin();
  await expect(fail()).rejects.toThrow(AccountError);
  await provider.begin();
  expect(discoveries()).toBe(2);
});
