/** Sign-in through OpenID Connect: the authorization code flow with PKCE, with the configured provider. */

import * as oidc from 'openid-client';
import { unavailable } from '../../contract/errors.js';
import { oneAtATime } from '../../platform/concurrency.js';
import { OutgoingProxy, type ProxySettings } from '../../platform/outgoing-proxy.js';
import { AccountError } from '../account-error.js';

interface IdentityProviderOptions {
  /** Issuer identifier, exactly as in the provider's discovery document. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** URL to which the provider redirects people. */
  redirectUri: string;
  /** Through it the provider is called. Undefined: directly. */
  proxy?: ProxySettings | undefined;
  /** Called with the reason when a sign-in fails. The person sees less detail. */
  onFailure?: (error: unknown) => void;
}

/** Secrets of one sign-in attempt. The browser keeps them until the redirect back. */
export interface SignInAttempt {
  state: string;
  nonce: string;
  codeVerifier: string;
}

/** A person as described by the provider. */
export interface Identity {
  issuer: string;
  /** The provider's id of the person. Never changes. */
  subject: string;
  email: string | undefined;
  /** True: the provider has verified that the address is the person's. Undefined: it does not say. */
  isEmailVerified: boolean | undefined;
  name: string | undefined;
  /** Undefined: the provider has left them out. */
  groups: string[] | undefined;
}

/**
 * Age at which the provider's addresses and keys are read again: in any case, and after a sign-in that failed. It may have
 * replaced them; but nobody who sends wrong codes makes the service ask it all the time.
 */
const MAX_AGE_MS = { usual: 3_600_000, doubtful: 60_000 };

export class IdentityProvider {
  readonly #options: IdentityProviderOptions;
  readonly #fetch: oidc.CustomFetch | undefined;
  /** The provider's addresses and keys, and when they were read (Unix milliseconds). */
  #discovered: { configuration: oidc.Configuration; at: number } | undefined;
  #isDoubtful = false;
  readonly #discoverOnce = oneAtATime(() => this.#discoverNow());

  constructor(options: IdentityProviderOptions) {
    this.#options = options;
    const proxy = options.proxy && new OutgoingProxy(options.proxy);
    this.#fetch = proxy && ((url, init) => proxy.fetch(url, init));
  }

  /**
   * Starts a sign-in. @returns the URL of the provider's page, and the secrets that the browser keeps. @throws ApiError
   * `unavailable`
   */
  async begin(): Promise<{ url: string; attempt: SignInAttempt }> {
    const refusal = () => unavailable('Your company’s sign-in cannot be reached. Try again in a minute.', 60);
    return this.#orRefuse(refusal, async () => {
      const configuration = await this.#discover();
      const attempt = {
        state: oidc.randomState(),
        nonce: oidc.randomNonce(),
        codeVerifier: oidc.randomPKCECodeVerifier(),
      };
      const url = oidc.buildAuthorizationUrl(configuration, {
        redirect_uri: this.#options.redirectUri,
        scope: 'openid email profile',
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.codeVerifier),
        code_challenge_method: 'S256',
        state: attempt.state,
        nonce: attempt.nonce,
      });
      return { url: url.href, attempt };
    });
  }

  /**
   * Finishes a sign-in.
   * @param query of the request that the provider redirected back
   * @throws AccountError `sign_in_ended` when the provider refused or the answer does not belong to this attempt
   */
  async finish(query: URLSearchParams, { state, nonce, codeVerifier }: SignInAttempt): Promise<Identity> {
    const refusal = () =>
      new AccountError('sign_in_ended', 'Your company account did not sign you in.', 'Sign-in cancelled');
    return this.#orRefuse(refusal, async () => {
      const configuration = await this.#discover();
      const tokens = await oidc.authorizationCodeGrant(
        configuration,
        new URL(`?${query.toString()}`, this.#options.redirectUri),
        {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        },
      );
      const idToken = tokens.claims();
      if (idToken === undefined) {
        throw new Error('the provider sent no ID token');
      }
      // Providers may return everything but the subject only from the UserInfo endpoint.
      const more =
        configuration.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await oidc.fetchUserInfo(configuration, tokens.access_token, idToken.sub);
      return identityOf({ ...more, ...idToken }, this.#options.issuer);
    });
  }

  async #discover(): Promise<oidc.Configuration> {
    const { configuration, at = 0 } = this.#discovered ?? {};
    const ageMs = Date.now() - at;
    if (configuration !== undefined && ageMs < (this.#isDoubtful ? MAX_AGE_MS.doubtful : MAX_AGE_MS.usual)) {
      return configuration;
    }
    try {
      return await this.#discoverOnce();
    } catch (error) {
      if (configuration === undefined) {
        throw error;
      }
      // The document that is known may still be right.
      this.#options.onFailure?.(error);
      return configuration;
    }
  }

  async #discoverNow(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.#options;
    // Plain HTTP only reaches a provider on this machine: the configuration allows no other.
    const mayBePlain = issuer.startsWith('http:') ? [oidc.allowInsecureRequests] : [];
    // By default, the library takes TLS to the provider for proof enough of an ID token, and does not check its signature.
    const execute = [oidc.enableNonRepudiationChecks, ...mayBePlain];
    const options = { execute, ...(this.#fetch && { [oidc.customFetch]: this.#fetch }) };
    const configuration = await oidc.discovery(new URL(issuer), clientId, clientSecret, undefined, options);
    this.#discovered = { configuration, at: Date.now() };
    this.#isDoubtful = false;
    return configuration;
  }

  async #orRefuse<T>(refusal: () => Error, step: () => Promise<T>): Promise<T> {
    try {
      return await step();
    } catch (error) {
      this.#isDoubtful = true;
      this.#options.onFailure?.(error);
      throw refusal();
    }
  }
}

function identityOf(claims: Readonly<Record<string, unknown>>, issuer: string): Identity {
  const { sub, email, email_verified: isEmailVerified, name, preferred_username: username, groups } = claims;
  return {
    issuer,
    subject: String(sub),
    email: typeof email === 'string' ? email : undefined,
    // Some providers send a text in place of a boolean.
    isEmailVerified: isEmailVerified === undefined ? undefined : [true, 'true'].includes(isEmailVerified as boolean),
    name: [name, username].find((each) => typeof each === 'string' && each.trim() !== '') as string | undefined,
    groups: leavesGroupsOut(claims) ? undefined : [groups].flat().filter((group) => typeof group === 'string'),
  };
}

/**
 * True for a person who is in more groups than a token may have. Microsoft Entra ID then sends `hasgroups`, or names a place
 * where the groups can be read (OpenID Connect Core, section 5.6.2).
 */
function leavesGroupsOut({ groups, hasgroups, _claim_names: elsewhere }: Readonly<Record<string, unknown>>): boolean {
  return groups === undefined && (hasgroups !== undefined || Object.hasOwn(Object(elsewhere) as object, 'groups'));
}
