import { describe, expect, it } from 'vitest';
import { maskArguments, maskSecrets, SECRET } from './secrets.ts';

describe('secrets in a text', () => {
  it.each([
    ['curl -H "Authorization: Bearer a-b-c" x', 'curl -H "Authorization: Bearer •••" x'],
    ["{'Authorization': 'Basic dXNlcjpwYXNz'}", "{'Authorization': 'Basic •••'}"],
    ['Bearer 7f3a9b', 'Bearer •••'],
    ['key sk-proj-Ab12Cd34Ef56Gh78, sk-abcdefghijklmnop.', 'key •••, •••.'],
    ['ghp_16C7e42F292c6912E7710c838347Ae178B4a AIzaSyA1234567890abcdefghijk', '••• •••'],
    ['https://x.test/?q=a&token=abc123&b=c', 'https://x.test/?q=a&token=•••&b=c'],
    ['export OPENAI_API_KEY=abc-def', 'export OPENAI_API_KEY=•••'],
    ['{"apiKey": "one two", "a": "\\"password\\": \\"hunter2\\""}', '{"apiKey": "••• two", "a": "\\"password\\": \\"•••\\""}'],
    ['postgres://me:hunter2@db/x', 'postgres://me:•••@db/x'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abc-def', '•••'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIBOgIBAAJB\n-----END RSA PRIVATE KEY-----', /^-----BEGIN RSA PRIVATE KEY-----•••-----END/],
  ])('are replaced: %s', (text, expected) => {
    if (typeof expected === 'string') expect(maskSecrets(text)).toBe(expected);
    else expect(maskSecrets(text)).toMatch(expected);
  });

  it.each([
    'The bearer understands key-takeaways and key-responsibilities.',
    'Password: see below. The token was spent; 500 tokens.',
    '((20201231235959-abcdefg "sk-learn")) at https://x.test:8080/a@b',
    'api_key is a name',
  ])('words that are none stay: %s', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });

  it('are looked for in the time that the text is long', () => {
    for (const run of ['sk-', 'eyJ-', 'eyJa.', 'token=', 'a:', 'Bearer ', '-----BEGIN PRIVATE KEY-----', 'http://a:', '"', ' '])
      expect(maskSecrets(run.repeat(400_000 / run.length)).length).toBeLessThanOrEqual(800_000);
  });
});

it('secrets among arguments are found by their names, however deep', () => {
  const args = {
    q: 'x',
    limit: 3,
    apiKey: 'short',
    headers: { Authorization: 'a b', list: [{ password: 'p' }] },
    max_tokens: 5,
    secret: '',
  };
  expect(maskArguments(args)).toEqual({
    ...{ q: 'x', limit: 3, apiKey: SECRET, headers: { Authorization: SECRET, list: [{ password: SECRET }] } },
    ...{ max_tokens: 5, secret: '' },
  });
});
