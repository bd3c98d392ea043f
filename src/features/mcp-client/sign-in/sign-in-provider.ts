import {
  checkResourceAllowed,
  type OAuthClientMetadata,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
} from '@modelcontextprotocol/client';
import { RETURN_ADDRESS } from './sign-in.ts';
import { SignInError } from './sign-in-error.ts';
import { requireAllowed } from './sign-in-fetch.ts';
import type { SavedSignIn, SignInStore } from './sign-in-format.ts';

/** What one login needs until the browser is back. Its secrets are in the memory alone. */
export interface Attempt {
  readonly state: string;
  readonly stop: AbortController;
  redirect: string;
  verifier: string;
  address?: URL;
  found?: OAuthDiscoveryState;
}

/**
 * What the SDK asks for and keeps. Without an attempt nobody is at the screen: tokens are refreshed, and whatever would need a person,
 * or introduce us to another server, is `wanted`.
 */
export class SignInProvider implements OAuthClientProvider {
  readonly redirectUrl: string;
  readonly clientMetadata: OAuthClientMetadata;
  private readonly server: string;
  private readonly store: SignInStore;
  private readonly attempt: Attempt | undefined;
  private readonly wanted: () => Error;

  constructor(server: string, store: SignInStore, { attempt, wanted }: { readonly attempt?: Attempt; readonly wanted: () => Error }) {
    this.server = server;
    this.store = store;
    this.attempt = attempt;
    this.wanted = wanted;
    this.redirectUrl = attempt?.redirect ?? RETURN_ADDRESS;
    this.clientMetadata = {
      client_name: 'Marginalia',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      // A program on people's devices can keep no secret of its makers.
      token_endpoint_auth_method: 'none',
    };
  }

  state(): string {
    return this.attempt?.state ?? '';
  }

  clientInformation(): StoredOAuthClientInformation | undefined {
    const { client, isTyped } = this.store.read() ?? {};
    // One that registered itself did so for the address to which the browser returned then.
    const isKnown = client?.redirect_uris?.includes(this.redirectUrl) ?? true;
    return isTyped || !this.attempt || isKnown ? client : undefined;
  }

  saveClientInformation(client: StoredOAuthClientInformation): void {
    if (!this.attempt) throw this.wanted();
    this.save({ client: { ...client } });
  }

  tokens(): StoredOAuthTokens | undefined {
    return this.store.read()?.tokens;
  }

  saveTokens(tokens: StoredOAuthTokens): void {
    const described = this.attempt ? this.attempt.found?.resourceMetadataUrl : this.store.read()?.described;
    this.save({ tokens: { ...tokens }, described });
  }

  redirectToAuthorization(address: URL): void {
    if (!this.attempt) throw this.wanted();
    requireAllowed(address, new URL(this.server));
    this.attempt.address = address;
  }

  saveCodeVerifier(verifier: string): void {
    if (this.attempt) this.attempt.verifier = verifier;
  }

  codeVerifier(): string {
    return this.attempt?.verifier ?? '';
  }

  discoveryState(): OAuthDiscoveryState | undefined {
    return this.attempt?.found;
  }

  saveDiscoveryState(found: OAuthDiscoveryState): void {
    const { resourceMetadata, authorizationServerMetadata: login } = found;
    const resource = resourceMetadata?.resource;
    if (resource !== undefined && !checkResourceAllowed({ requestedResource: this.server, configuredResource: resource }))
      throw new SignInError('resource', resource);
    const isKnown = this.clientInformation() !== undefined;
    if (this.attempt && !isKnown && login && !login.registration_endpoint) throw new SignInError('unregistered');
    if (this.attempt) this.attempt.found = found;
  }

  /** The SDK would send the same code or token once more. */
  invalidateCredentials(what: 'all' | 'client' | 'tokens' | 'verifier' | 'discovery'): void {
    const saved = this.store.read();
    if (what === 'client' && saved && !saved.isTyped) this.store.write({ ...saved, client: undefined, tokens: undefined });
    else if (saved) this.store.write({ ...saved, tokens: undefined });
    if (!this.attempt) throw this.wanted();
    throw new SignInError(what === 'client' ? 'client' : 'refused');
  }

  private save(part: Partial<SavedSignIn>): void {
    this.store.write({ ...this.store.read(), ...part, server: this.server });
  }
}
