// The routes of servers' logins: what is asked, what is answered.
import * as v from 'valibot';
import { maybe, text } from '../../../service/http/answers.ts';
import type { RouteDescription } from '../../../service/http/served-feature.ts';

export const signInFormat = v.object({
  client_id: v.optional(
    v.pipe(
      v.string(),
      v.trim(),
      v.nonEmpty('it is empty'),
      v.description('Of a client made by hand at a login that registers no programs'),
    ),
  ),
  client_secret: v.optional(v.string()),
});

export const finishSignInFormat = v.object({
  returned: v.pipe(v.string(), v.description('The address at which the browser ended, or the code in it')),
});

const serverAnswer = v.object({
  name: text,
  tools: v.number(),
  loading: v.pipe(v.boolean(), v.description('Whether it has neither answered nor failed yet')),
  problem: v.pipe(maybe(text), v.description('Why it cannot be used, or tools of it are left out')),
  sign_in: maybe(
    v.object({
      state: v.picklist(['none', 'wanted', 'starting', 'open', 'in']),
      host: v.pipe(maybe(text), v.description('That asks the person, or where one is signed in')),
      address: v.pipe(maybe(text), v.description('To open in a browser')),
      lacking: v.pipe(maybe(text), v.description('Rights that a call lacked')),
      problem: maybe(text),
      words: v.pipe(maybe(text), v.description('What went wrong at the last attempt, and what to do')),
    }),
  ),
});

export const SERVER_ROUTES: readonly RouteDescription[] = [
  {
    method: 'GET',
    path: '/api/servers',
    summary: 'Servers of other people’s tools that are on, and whether one is signed in',
    answer: v.array(serverAnswer),
  },
  {
    method: 'POST',
    path: '/api/servers/{name}/sign-in',
    summary: 'Begins a login; its address is opened in a browser, for whose return the service listens for ten minutes',
    body: signInFormat,
    answer: serverAnswer,
    example: { body: {} },
  },
  {
    method: 'POST',
    path: '/api/servers/{name}/sign-in/finish',
    summary: 'Ends a login with the address at which a browser on another machine ended',
    body: finishSignInFormat,
    answer: serverAnswer,
    example: { body: { returned: 'http://127.0.0.1:33917/signed-in?code=abc&state=def' } },
  },
  {
    method: 'DELETE',
    path: '/api/servers/{name}/sign-in',
    summary: 'Signs out: the tokens are forgotten, and revoked where that is offered',
    answer: serverAnswer,
  },
];
