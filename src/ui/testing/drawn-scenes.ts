import type { FakeController } from './fake-controller.ts';
import { operation, plan, request, waitFor } from './write-scenes.ts';

const linked = (address: string, words: string): string => `<a href="${address}" title="${address}">${words}</a>`;
/** All but the first draw less than they say. */
const FORMULAS = [
  'x^2',
  '\\phantom{secret}',
  'a % words',
  '\\color{white}{b}',
  '\\def\\x#1{}\\x{c}',
  'a\\\\[-2em]b',
  '\\rlap{d}e',
  '\\tiny f',
];

/** Changes that a preview alone would not distinguish, or not show. */
const links = request(
  'shown-whole',
  'rewrite_doc',
  plan([
    ...(
      [
        ['query', linked('https://evil.example/?data-block-id=1', 'wiki')],
        ['near', `${linked('https://bank.ex', 'https://bank.example')} ${linked('https://evil.example', 'pay')} not https://evil.example`],
        ['plain', linked('https://bank.example', 'https://bank.example')],
      ] as const
    ).map(([id, html]) => operation({ id, action: 'insert', after: 'y', drawn: { before: null, after: `<p>${html}</p>` } })),
    operation({
      id: 'link-words',
      before: 'x',
      after: 'y',
      drawn: {
        before: `<p>Please pay today at ${linked('https://evil.example', 'site')}</p>`,
        after: `<p>Please pay today at ${linked('https://evil.example', 'https://bank.example')}</p>`,
      },
    }),
    operation({
      id: 'embed',
      before: 'x',
      after: 'y',
      drawn: { before: '<pre>{{SELECT 1}}</pre>', after: '<div class="mg-layout-embed"><pre>{{SELECT 1}}</pre></div>' },
    }),
    operation({
      id: 'formula',
      action: 'insert',
      after: 'y',
      drawn: {
        before: null,
        after: FORMULAS.map((tex) => `<p><span class="mg-math">${tex}</span></p>`).join(''),
      },
    }),
  ]),
);

export const drawnScenes: Readonly<Record<string, (controller: FakeController) => void>> = { 'shown-whole': waitFor(links) };
