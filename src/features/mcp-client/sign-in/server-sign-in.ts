import {
  type AuthProvider,
  auth,
  computeScopeUnion,
  extractWWWAuthenticateParams,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client';
import { ToolError } from '../../../tools/contract/errors.ts';
import { linkSignals, NEVER } from '../../../tools/util/abort.ts';
import { preview } from '../../../tools/util/graphemes.ts';
import { randomHex } from '../../../tools/util/hex.ts';
import { returnedParameters } from './returned-address.ts';
import { revokeTokens } from './revoke-tokens.ts';
import { RETURN_ADDRESS, type SignInProblem, type SignInView, type TypedClient } from './sign-in.ts';
import { failureOf, SignInError } from './sign-in-error.ts';
import { isSafe, signInFetch } from './sign-in-fetch.ts';
import type { SignInStore } from './sign-in-format.ts';
import { type Attempt, SignInProvider } from './sign-in-provider.ts';

/** How long a login may take, in milliseconds. */
const OPEN_MS = 10 * 60 * 1000;

/** Listens for a browser that returns from a login. */
interface ReturnListener {
  readonly address: string;
  close(): void;
}

/** Resolves with what is wrong; null: the person is signed in. */
type AcceptReturn = (parameters: URLSearchParams) => Promise<SignInProblem | null>;

export interface SignInDeps {
  readonly store: SignInStore;
  /** Sends the requests of a login, each once. */
  readonly send: typeof fetch;
  /** Whether nothing may leave this machine now. */
  readonly localOnly?: (() => boolean) | undefined;
  /** Absent: a person pastes what the browser came back with. */
  readonly listen?: ((accept: AcceptReturn) => Promise<ReturnListener>) | undefined;
}

interface OpenAttempt extends Attempt {
  listener?: ReturnListener;
  /** It is over after ten minutes. */
  readonly release: () => void;
}

const randomText = (): string => randomHex(32);

const hostOf = (address: string | undefined): string | undefined =>
  address !== undefined && URL.canParse(address) ? new URL(address).host : undefined;

export const signInWanted = (why = 'wants a login'): ToolError =>
  new ToolError(
    'mcp_sign_in',
    `the MCP server ${why}`,
    'tell the user to sign in to it (panel: Settings → Servers; service: POST /api/servers/NAME/sign-in)',
  );

/** The login at one server (OAuth 2.1 with PKCE, by the SDK): begun and ended by a person, refreshed without one. */
export class ServerSignIn {
  private readonly server: string;
  private readonly deps: SignInDeps;
  /** The person is signed in, or no longer. Resolves when the server was asked again. */
  private readonly onTokens: () => Promise<void>;
  private readonly onChange: () => void;
  private attempt: OpenAttempt | undefined;
  private failure: ReturnType<typeof failureOf> | undefined;
  private refreshing: Promise<void> | undefined;
  /** What the server said when it refused: where its login is described, and which rights it wants. */
  private challenge: { readonly scope?: string | undefined; readonly resourceMetadataUrl?: URL | undefined } = {};
  private lacking: string | undefined;

  constructor(server: string, deps: SignInDeps, on: { readonly tokens: () => Promise<void>; readonly change: () => void }) {
    this.server = server;
    this.deps = deps;
    this.onTokens = on.tokens;
    this.onChange = on.change;
  }

  view(isRefused: boolean): SignInView {
    const { attempt, lacking, failure } = this;
    const said = failure && { problem: failure.problem, said: failure.said };
    if (attempt?.address)
      return { state: 'open', host: attempt.address.host, address: attempt.address.href, byHand: !attempt.listener, ...said };
    if (attempt) return { state: 'starting' };
    const tokens = this.deps.store.read()?.tokens;
    if (isRefused || lacking !== undefined) return { state: 'wanted', lacking, ...said };
    return tokens ? { state: 'in', host: hostOf(tokens.issuer), ...said } : { state: 'none', ...said };
  }

  /** The SDK's own flow would register and redirect by itself: here a person begins it. */
  asAuthProvider(): AuthProvider {
    let given: string | undefined;
    return {
      token: async () => {
        given = this.deps.store.read()?.tokens?.access_token;
        return given;
      },
      onUnauthorized: async ({ response }) => {
        this.challenge = extractWWWAuthenticateParams(response);
        const tokens = this.deps.store.read()?.tokens;
        // Another call, window or program has refreshed it meanwhile.
        if (tokens?.access_token !== given) return;
        if (!tokens?.refresh_token) throw signInWanted();
        this.refreshing ??= this.refresh().finally(() => {
          this.refreshing = undefined;
        });
        await this.refreshing;
      },
    };
  }

  /** A call lacked rights: the person is asked for more. */
  want({ scope, resourceMetadataUrl }: { readonly scope?: string | undefined; readonly resourceMetadataUrl?: URL | undefined }): ToolError {
    this.challenge = { scope: computeScopeUnion(this.deps.store.read()?.tokens?.scope, scope), resourceMetadataUrl };
    this.lacking = preview(scope ?? '', 200);
    this.onChange();
    return signInWanted('wants further rights for this call');
  }

  /** Finds the login, and makes its address. Never rejects: what goes wrong is in the view. */
  async begin(client?: TypedClient): Promise<void> {
    this.cancel();
    const attempt = this.newAttempt();
    this.attempt = attempt;
    this.onChange();
    try {
      this.requireOpen();
      if (!isSafe(new URL(this.server))) throw new SignInError('insecure', this.server);
      // A page over plain http has none; the SDK needs it.
      if (!('subtle' in globalThis.crypto)) throw new SignInError('page');
      if (client) this.keepTyped(client);
      attempt.listener = await this.deps.listen?.((parameters) => this.accept(attempt, parameters)).catch(() => undefined);
      attempt.redirect = attempt.listener?.address ?? RETURN_ADDRESS;
      await this.ask(attempt, this.challenge);
      if (attempt.stop.signal.aborted) this.close(attempt);
      this.onChange();
    } catch (error) {
      this.fail(attempt, error);
    }
  }

  /** With what a person pasted. Never rejects. */
  async finish(text: string): Promise<void> {
    const { attempt } = this;
    const returned = returnedParameters(text);
    if (!attempt?.address) return;
    if (!returned) return this.report(new SignInError('no_code'));
    if (returned.isCodeAlone) returned.parameters.set('state', attempt.state);
    await this.accept(attempt, returned.parameters);
  }

  cancel(): void {
    this.failure = undefined;
    const { attempt } = this;
    this.attempt = undefined;
    if (attempt) this.close(attempt);
    this.onChange();
  }

  /** Forgets the tokens, and has them revoked where that is offered. Never rejects. */
  async signOut(): Promise<void> {
    this.cancel();
    const saved = this.deps.store.read();
    this.deps.store.write(saved?.isTyped ? { ...saved, tokens: undefined } : undefined);
    this.lacking = undefined;
    const asked = this.onTokens();
    // Under “Local only” they are forgotten here, and end by themselves there.
    if (saved?.tokens && !this.deps.localOnly?.())
      await revokeTokens(this.server, saved, signInFetch(this.server, this.deps.send, NEVER)).catch(() => undefined);
    await asked;
  }

  private newAttempt(): OpenAttempt {
    const stop = new AbortController();
    const time = linkSignals([stop.signal], OPEN_MS);
    const attempt = { state: randomText(), stop, redirect: RETURN_ADDRESS, verifier: '', release: time.release };
    time.signal.addEventListener('abort', () => time.timedOut() && this.fail(attempt, new SignInError('late')));
    return attempt;
  }

  /** What came back from the browser. A wrong state ends nothing: any page can send one. */
  private async accept(attempt: OpenAttempt, parameters: URLSearchParams): Promise<SignInProblem | null> {
    const states = parameters.getAll('state');
    if (this.attempt !== attempt || states.length !== 1 || states[0] !== attempt.state) {
      if (this.attempt === attempt) this.report(new SignInError('state'));
      return 'state';
    }
    // Used once, whatever comes of it.
    this.attempt = undefined;
    this.failure = undefined;
    try {
      await this.redeem(attempt, parameters);
      this.lacking = undefined;
      await this.onTokens();
      return null;
    } catch (error) {
      this.report(error);
      return failureOf(error).problem;
    } finally {
      this.close(attempt);
    }
  }

  private async redeem(attempt: Attempt, parameters: URLSearchParams): Promise<void> {
    const iss = parameters.get('iss') ?? undefined;
    const login = attempt.found?.authorizationServerMetadata;
    // Also of a refusal: another server must not speak for this one.
    validateAuthorizationResponseIssuer({
      ...{ iss, expectedIssuer: login?.issuer },
      issParameterSupported: login?.authorization_response_iss_parameter_supported === true,
    });
    const error = parameters.get('error');
    if (error !== null)
      throw new SignInError(error === 'access_denied' ? 'denied' : 'refused', parameters.get('error_description') ?? error);
    const code = parameters.get('code');
    if (!code) throw new SignInError('no_code');
    await this.ask(attempt, { authorizationCode: code, ...(iss === undefined ? {} : { iss }) });
  }

  private async ask(attempt: Attempt | undefined, more: Partial<Parameters<typeof auth>[1]>): Promise<void> {
    this.requireOpen();
    const signal = attempt?.stop.signal ?? NEVER;
    await auth(new SignInProvider(this.server, this.deps.store, { wanted: signInWanted, ...(attempt ? { attempt } : {}) }), {
      ...more,
      serverUrl: this.server,
      forceReauthorization: attempt !== undefined,
      fetchFn: signInFetch(this.server, this.deps.send, signal),
    });
  }

  /** The user may have changed the switch since the login was begun. */
  private requireOpen(): void {
    if (this.deps.localOnly?.())
      throw new ToolError('local_only', '"local only" is on, and a login leaves this machine', 'ask the user to switch "local only" off');
  }

  private async refresh(): Promise<void> {
    const { resourceMetadataUrl } = this.challenge;
    await this.ask(undefined, resourceMetadataUrl ? { resourceMetadataUrl } : {});
    this.onChange();
  }

  private keepTyped({ id, secret }: TypedClient): void {
    this.deps.store.write({
      ...{ server: this.server, isTyped: true },
      client: { client_id: id, ...(secret ? { client_secret: secret } : {}) },
    });
  }

  private fail(attempt: OpenAttempt, error: unknown): void {
    const isCurrent = this.attempt === attempt;
    this.close(attempt);
    if (!isCurrent) return;
    this.attempt = undefined;
    this.report(error);
  }

  private report(error: unknown): void {
    this.failure = failureOf(error);
    this.onChange();
  }

  private close(attempt: OpenAttempt): void {
    attempt.release();
    attempt.stop.abort();
    attempt.listener?.close();
  }
}
