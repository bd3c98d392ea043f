import type { SignInProblem } from '../sign-in/sign-in.ts';

/** The panel's words (`servers.login.…` of i18n/en_US.json; a test compares them): the service carries no other text of the panel. */
export const SIGN_IN_WORDS: Readonly<Record<SignInProblem, string>> = {
  address:
    'The server leads to an address that Marginalia does not contact: it is on your network, or has a password in it. Use only servers that you trust.',
  client: 'The login does not know this client. Sign in again, or enter a client ID.',
  denied: 'The login was refused in the browser. Sign in again and allow it.',
  insecure: 'A login needs https. Enter the server’s address with https://.',
  issuer: 'The answer comes from a different login than the one that was asked. Nothing was sent to it. Ask the makers of the server.',
  late: 'Nobody signed in within ten minutes. Sign in again.',
  local_only: '“Local only” is on, so no login is asked. Switch it off in the settings, and sign in again.',
  no_code: 'This holds no code. Copy the whole address at which the browser ended.',
  page: 'SiYuan is open over plain http, where no login is safe. Open it at http://127.0.0.1:6806 or over https.',
  refused: 'The login did not accept this. Sign in again.',
  resource: 'The server says that its logins are for another server. Check its address.',
  room: 'This device has no room for the login. Make room, and sign in again.',
  state: 'This address is of another login. Use the one of the login that is open now.',
  unreachable: 'The login cannot be reached. Try again later.',
  unregistered: 'The login registers no programs by itself.',
  unusable: 'The server describes no login that can be used. If it gives out keys, edit it and enter one as a header.',
};
