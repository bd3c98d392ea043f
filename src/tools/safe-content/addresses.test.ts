import { describe, expect, it } from 'vitest';
import { isAsset, isLocalImage, isSafeLink, isWebAddress, linkedBlock } from './addresses.ts';

const ID = '20260412093011-abc1234';

describe('links', () => {
  it.each([
    'https://a.example/x?y=1&z=2#top',
    'HTTP://a.example',
    'https://a.example/search?q=a%20%3C%20b%20100%25',
    'https://a.example/?a=1&copy=2&lt=3',
    'https://思源.example/路径',
    'mailto:a@b.example?subject=50%25%20off',
    'tel:+49-123',
    `siyuan://blocks/${ID}`,
    `siyuan://blocks/${ID}?focus=1`,
    'assets/paper 1.pdf',
    'assets/my%20file.pdf?page=3',
    'www.example.com',
    'other.md#part',
    '#part',
  ])('%s may be opened', (href) => {
    expect(isSafeLink(href)).toBe(true);
  });

  it.each([
    'javascript:a()',
    'java\tscript:a()',
    'java&#115;cript:a()',
    'javascript&colon;a()',
    'javascript&amp;#58;a()',
    'javascript&amp;amp;colon;a()',
    '&#x6aavascript:a()',
    'java\u200bscript:a()',
    'java‸script:a()',
    'java<wbr>script:a()',
    '\u0001javascript:a()',
    'vbscript:x',
    'data:text/html,x',
    'blob:https://a.example/x',
    'file:///etc/passwd',
    'file&amp;#58;///etc/passwd',
    `siyuan://plugins/x`,
    'siyuan&amp;#58;//plugins/x',
    `siyuan://blocks/${ID}/../../plugins/x`,
    `siyuan://blocks/${ID.slice(0, 17)}  ${ID.slice(17)}`,
    `siyuan://blocks/${ID.slice(0, 17)}\u0007${ID.slice(17)}`,
    'obsidian://open',
    '/bin/sh',
    '//host/share',
    '\\\\host\\share',
    '&#92;&#92;host\\share',
    'C:\\Windows',
    'assets/../conf.json',
    'assets/%2e%2e/conf.json',
    'assets/%252e%252e/conf.json',
    'assets/%3Cimg%20src=x%3E',
    'https://a.example/<img src=x>',
    'https://a.example/%3Cimg%20src=%22//b.example%22%3E',
    'https:/&sola.example/%3&#X43;img%20&#115rc=x',
    'https://a.example/%253Cimg',
    'mailto:a@b.example?body=%3Cimg%20src=x%3E',
    'https://a.example/&lt;img src=x&gt;',
    '',
    ' ',
  ])('%j is text', (href) => {
    expect(isSafeLink(href)).toBe(false);
  });

  it('name a block only in the plain form', () => {
    expect(linkedBlock(` siyuan://blocks/${ID}?focus=1`)).toBe(ID);
    for (const href of [`siyuan://blocks/${ID}x`, `siyuan://blocks/${ID}/x`, `https://a/siyuan://blocks/${ID}`])
      expect(linkedBlock(href)).toBeUndefined();
  });
});

describe('pictures', () => {
  it.each(['assets/a.png', 'assets/a b-20260101000000-abcdefg.png', 'assets/图/图 1.png', 'emojis/x.png', '/emojis/x/y.svg'])(
    '%s is shown',
    (source) => {
      expect(isLocalImage(source)).toBe(true);
    },
  );

  it('carries its own pixels', () => {
    expect(isLocalImage('data:image/png;base64,iVBORw0KGgo=')).toBe(true);
    for (const source of ['data:image/svg+xml;base64,PHN2Zz4=', 'data:image/png,x', 'data:image/png;base64,x"onerror=1'])
      expect(isLocalImage(source)).toBe(false);
  });

  it.each([
    'https://a.example/x.png',
    '//a.example/x.png',
    'assets/../api/network/proxy',
    'assets/%2e%2e/api/network/proxy?u=http://a',
    'assets/.%2e/api',
    'assets/.\t./api',
    'assets/.\u200b./api',
    'assets/&#46;&#46;/api',
    'assets/..\\api',
    'assets\\..\\api',
    'assets/x.png?u=1',
    'assets/x.png#1',
    'assets//a.example/x',
    '/assets/x.png',
    '../assets/x.png',
    './assets/x.png',
    'assets/a%20b.png',
    'ASSETS/../api',
    '/api/icon/getDynamicIcon?x=1',
    'emojis/../api',
    'file:///x.png',
    'blob:x',
    '',
  ])('%j is fetched from nowhere', (source) => {
    expect(isLocalImage(source)).toBe(false);
  });

  it('is an asset only below assets/', () => {
    expect([isAsset('assets/a.png'), isAsset('emojis/a.png'), isAsset('/emojis/a.png')]).toEqual([true, false, false]);
    expect([isWebAddress('https://a.example'), isWebAddress('https://'), isWebAddress('x')]).toEqual([true, false, false]);
  });
});
