// What a real SiYuan 3.7.3 with an access code lets in, against the development host, or against the SiYuan that SIYUAN_URL, SIYUAN_TOKEN
// and SIYUAN_AUTH name; with `-u` the latter writes the recording. `replay.mjs` knows neither cookies nor sockets.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type RunningHost, startHost } from '../../devhost/host.ts';

const { SIYUAN_URL: external, SIYUAN_TOKEN: token = 'secret', SIYUAN_AUTH: code = 'open sesame' } = process.env;
const PAGE = { 'User-Agent': 'Mozilla/5.0' };
const BY_TOKEN = { Authorization: `Token ${token}` };
/** Milliseconds within which a socket is closed that was opened for nothing. */
const REFUSED = 2_000;

let host: RunningHost | undefined;
let workspace = '';
let url = external ?? '';

beforeAll(async () => {
  if (external) return;
  workspace = mkdtempSync(join(tmpdir(), 'marginalia-access-'));
  host = await startHost({ workspace, port: 0, token, accessCode: code });
  url = host.url;
});

afterAll(async () => {
  await host?.close();
  if (workspace) rmSync(workspace, { recursive: true, force: true });
});

async function ask(path: string, headers: Record<string, string>, body?: object) {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const response = await fetch(new URL(path, url), { ...init, headers, redirect: 'manual' });
  const answer = body ? ((await response.json()) as { code: number; msg: string }) : undefined;
  const { status } = response;
  const cookie = response.headers.get('set-cookie')?.split(';')[0];
  return { status, code: answer?.code, msg: answer?.msg, location: response.headers.get('location') ?? undefined, cookie };
}

/** What becomes of a socket: it stays, is opened and closed unheard, or is not opened. */
function socketWith(path: string, headers: Record<string, string>): Promise<string> {
  const socket: WebSocket = Reflect.construct(WebSocket, [new URL(path, url.replace(/^http/, 'ws')), { headers }]);
  return new Promise((resolve) => {
    let said = 'not opened';
    const end = (outcome: string): void => {
      resolve(outcome);
      socket.close();
    };
    let late: ReturnType<typeof setTimeout> | undefined;
    socket.addEventListener('open', () => {
      said = 'opened, then closed';
      late = setTimeout(() => end('stays open'), REFUSED);
    });
    socket.addEventListener('message', () => {
      said = 'opened, heard, then closed';
    });
    socket.addEventListener('close', () => {
      clearTimeout(late);
      end(said);
    });
  });
}

it('lets in by token or session, and pushes by session alone', async () => {
  const list = '/api/notebook/lsNotebooks';
  const without = (answer: Awaited<ReturnType<typeof ask>>) => ({ ...answer, cookie: undefined });
  const login = (authCode: string) => ask('/api/system/loginAuth', PAGE, { authCode });
  const pushes = '/ws?app=contract&id=access-code&type=main';
  const answers = {
    'a call without credentials': await ask(list, {}, {}),
    'a call of a page without a session': without(await ask(list, PAGE, {})),
    'a call with a wrong token': await ask(list, { Authorization: 'Token wrong' }, {}),
    'a call with the token': await ask(list, BY_TOKEN, {}),
    'a page without a session': without(await ask('/stage/build/desktop/', PAGE)),
    'a wrong code': without(await login(`${code}, wrong`)),
  };
  const opened = await login(code);
  const session = { Cookie: opened.cookie ?? '' };
  const all = {
    ...answers,
    'the code': without(opened),
    'a call with the session': without(await ask(list, { ...PAGE, ...session }, {})),
    'the socket of pushes with the token': await socketWith(pushes, BY_TOKEN),
    'the socket of pushes with the session': await socketWith(pushes, session),
    'the broadcast socket with the token': await socketWith('/ws/broadcast?channel=contract', BY_TOKEN),
    'the broadcast socket without credentials': await socketWith('/ws/broadcast?channel=contract', {}),
  };
  await expect(`${JSON.stringify(all, null, 2)}\n`).toMatchFileSnapshot('access-code.json');
}, 60_000);
