import {
  AuthorizationServerMismatchError,
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { describeThrown, isAbort, isToolError } from '../../../tools/contract/errors.ts';
import { preview } from '../../../tools/util/graphemes.ts';
import type { SignInProblem } from './sign-in.ts';

const MAX_SAID = 300;

export class SignInError extends Error {
  readonly problem: SignInProblem;

  constructor(problem: SignInProblem, message: string = problem) {
    super(message);
    this.problem = problem;
  }
}

const CODES: Readonly<Partial<Record<string, SignInProblem>>> = {
  access_denied: 'denied',
  invalid_client: 'client',
  unauthorized_client: 'client',
};

function problemOf(error: unknown): SignInProblem {
  if (error instanceof SignInError) return error.problem;
  if (RegistrationRejectedError.isInstance(error)) return 'unregistered';
  if (IssuerMismatchError.isInstance(error) || AuthorizationServerMismatchError.isInstance(error)) return 'issuer';
  if (InsecureTokenEndpointError.isInstance(error)) return 'insecure';
  if (error instanceof OAuthError) return CODES[error.code] ?? 'refused';
  if (isToolError(error) && error.code === 'storage_full') return 'room';
  if (isToolError(error) && error.code === 'local_only') return 'local_only';
  return error instanceof TypeError || isAbort(error) ? 'unreachable' : 'unusable';
}

/** What went wrong, with the words of a server where it had any. */
export function failureOf(error: unknown): { readonly problem: SignInProblem; readonly said: string } {
  return { problem: problemOf(error), said: preview(describeThrown(error), MAX_SAID) };
}
