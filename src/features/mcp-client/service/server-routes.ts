import { Hono } from 'hono';
import { ServiceError } from '../../../service/contract/errors.ts';
import { readBody } from '../../../service/http/body.ts';
import type { McpServerState, McpServers } from '../mcp-servers.ts';
import { RETURN_ADDRESS, type SignInProblem, type SignInView } from '../sign-in/sign-in.ts';
import { finishSignInFormat, signInFormat } from './described-servers.ts';
import { SIGN_IN_WORDS } from './sign-in-words.ts';

/** What is known of the servers, and what a person does about their logins. */
export type ServerLogins = Pick<McpServers, 'states' | 'signIn' | 'finishSignIn' | 'signOut'>;

const wordsOf = ({ problem, said }: SignInView): string | null =>
  problem ? [SIGN_IN_WORDS[problem], said && said !== problem ? `It said: ${said}` : ''].join(' ').trim() : null;

function signInView(view: SignInView): object {
  const { state, host = null, address = null, lacking = null, problem = null } = view;
  return { state, host, address, lacking, problem, words: wordsOf(view) };
}

const serverView = ({ name, tools, isLoading = false, problem, signIn }: McpServerState): object => ({
  ...{ name, tools, loading: isLoading, problem: signIn?.state === 'wanted' ? null : (problem ?? null) },
  sign_in: signIn ? signInView(signIn) : null,
});

const NEEDS_CLIENT: ReadonlySet<SignInProblem> = new Set(['client', 'unregistered']);

/** What came of an attempt. Throws ServiceError with the words of the panel where it failed. */
function outcome(state: McpServerState): object {
  const { signIn } = state;
  if (!signIn?.problem) return serverView(state);
  const next = NEEDS_CLIENT.has(signIn.problem)
    ? `send client_id of a client (an app) made there with the redirect address ${RETURN_ADDRESS}`
    : 'GET /api/servers says how it stands';
  throw new ServiceError(409, `sign_in_${signIn.problem}`, wordsOf(signIn) ?? '', next);
}

/** The routes below /api/servers (docs/service.md). */
export function serverRoutes({ logins, refresh }: { readonly logins: ServerLogins; readonly refresh: () => Promise<void> }): Hono {
  const routes = new Hono();
  const known = (name: string): McpServerState => {
    const found = logins.states().find((state) => state.name === name);
    if (found) return found;
    throw new ServiceError(404, 'server_missing', 'there is no such server, or it is off', 'GET /api/servers lists them');
  };
  const withLogin = async (name: string): Promise<SignInView> => {
    await refresh();
    const { signIn } = known(name);
    if (signIn) return signIn;
    throw new ServiceError(
      409,
      'no_login',
      'this server is a program, or has a key of its own',
      'remove its header “Authorization” to sign in',
    );
  };
  routes.get('/', async (context) => {
    await refresh();
    return context.json(logins.states().map(serverView));
  });
  routes.post('/:name/sign-in', async (context) => {
    const { client_id: id, client_secret: secret } = await readBody(context.req.raw, signInFormat);
    const name = context.req.param('name');
    await withLogin(name);
    await logins.signIn(name, id === undefined ? undefined : { id, secret });
    return context.json(outcome(known(name)));
  });
  routes.post('/:name/sign-in/finish', async (context) => {
    const { returned } = await readBody(context.req.raw, finishSignInFormat);
    const name = context.req.param('name');
    if ((await withLogin(name)).state !== 'open')
      throw new ServiceError(409, 'no_login_open', 'no login is open at this server', `begin one with POST /api/servers/${name}/sign-in`);
    await logins.finishSignIn(name, returned);
    return context.json(outcome(known(name)));
  });
  routes.delete('/:name/sign-in', async (context) => {
    const name = context.req.param('name');
    await withLogin(name);
    await logins.signOut(name);
    return context.json(serverView(known(name)));
  });
  return routes;
}
