// A login at somebody else's server, as the panel shows it and the service answers.

/** Where the browser ends after a login where nothing listens: its address is copied from there. Also what a client made by hand names. */
export const RETURN_PORT = 33_917;
export const RETURN_PATH = '/signed-in';
export const RETURN_ADDRESS = `http://127.0.0.1:${RETURN_PORT}${RETURN_PATH}`;

/** A client that a person has made at the login's server, which registers none by itself. */
export interface TypedClient {
  readonly id: string;
  readonly secret?: string | undefined;
}

/** `address`: another server that is not asked; `client`: we are unknown; `page`: over plain HTTP; `state`: of another login. */
export type SignInProblem =
  | 'address'
  | 'client'
  | 'denied'
  | 'insecure'
  | 'issuer'
  | 'late'
  | 'local_only'
  | 'no_code'
  | 'page'
  | 'refused'
  | 'resource'
  | 'room'
  | 'state'
  | 'unreachable'
  | 'unregistered'
  | 'unusable';

/** `wanted`: the server answers only whoever signs in, or wants further rights; `open`: a browser is at `address`. */
export interface SignInView {
  readonly state: 'none' | 'wanted' | 'starting' | 'open' | 'in';
  /** The host that asks the person, or at which they have signed in. */
  readonly host?: string | undefined;
  readonly address?: string | undefined;
  /** Nothing listens for the browser: the address where it ends has to be pasted. */
  readonly byHand?: boolean | undefined;
  /** Rights that a call lacked, in the words of the server. */
  readonly lacking?: string | undefined;
  /** Of the last attempt; `said`: the server's own words. */
  readonly problem?: SignInProblem | undefined;
  readonly said?: string | undefined;
}
