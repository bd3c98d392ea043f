import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseArguments } from './arguments.ts';
import { readPolicy } from './contract/policy.ts';

const REQUIRED = ['--kernel', 'http://127.0.0.1:6806/', '--token', 'secret-one'];
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'marginalia-arguments-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function failure(list: readonly string[], environment = {}): string {
  try {
    parseArguments(list, environment);
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
  return 'no error';
}

describe('the command line', () => {
  it('says where the kernel is and who may ask; the rest has defaults, and listens to this machine alone', () => {
    expect(parseArguments(REQUIRED, {})).toMatchObject({
      ...{ kernel: 'http://127.0.0.1:6806', kernelToken: undefined, token: 'secret-one', port: 6810, host: '127.0.0.1' },
      ...{ hosts: [], origins: [], model: undefined, policy: undefined, keepRecordsDays: 90 },
    });
    const more = ['--port', '0', '--allow-host', 'a', '--allow-host=b', '--allow-origin', 'https://c'];
    expect(parseArguments([...REQUIRED, ...more], {})).toMatchObject({ port: 0, hosts: ['a', 'b'], origins: ['https://c'] });
  });

  it('takes tokens from flags, files or the environment, in this order', () => {
    const file = join(folder, 'token');
    writeFileSync(file, 'from-file\n');
    const environment = { MARGINALIA_SERVICE_TOKEN: 'from-env', MARGINALIA_KERNEL_TOKEN: 'kernel-env' };
    const kernel = REQUIRED.slice(0, 2);
    expect(parseArguments(kernel, environment)).toMatchObject({ token: 'from-env', kernelToken: 'kernel-env' });
    expect(parseArguments([...kernel, '--token-file', file], environment)).toMatchObject({ token: 'from-file' });
    expect(parseArguments([...REQUIRED, '--token-file', file, '--kernel-token-file', file], environment)).toMatchObject({
      ...{ token: 'secret-one', kernelToken: 'from-file' },
    });
  });

  it('takes a model from the environment, where one is named', () => {
    const environment = { OPENAI_BASE_URL: 'http://localhost:1/v1', OPENAI_API_KEY: 'k', OPENAI_MODEL: 'm' };
    expect(parseArguments(REQUIRED, environment).model).toEqual({ baseURL: 'http://localhost:1/v1', apiKey: 'k', model: 'm' });
    expect(parseArguments(REQUIRED, { OPENAI_API_KEY: 'k' }).model?.baseURL).toBe('https://api.openai.com/v1');
  });

  it.each([
    [['--token', 'secret-one'], 'missing: --kernel'],
    [['--kernel', 'http://127.0.0.1:6806'], 'missing: --token'],
    [[...REQUIRED, '--port', '70000'], 'bad_value: --port'],
    [[...REQUIRED, '--port', ''], 'bad_value: --port'],
    [[...REQUIRED, '--keep-records', '0'], 'bad_value: --keep-records'],
    [[...REQUIRED, '--data', ''], 'bad_value: --data'],
    [[...REQUIRED, '--folder', 'notes', '--folder', ''], 'bad_value: --folder'],
    [[...REQUIRED, '--scripts', ''], 'bad_value: --scripts'],
    [['--token', 'secret-one', '--kernel', 'ftp://x'], 'bad_value: --kernel'],
    [['--token', 'secret-one', '--kernel', 'http://me:secret-two@x'], 'bad_value: --kernel'],
    [['--kernel', 'http://x', '--token', ''], 'bad_token'],
    [['--kernel', 'http://x', '--token', 'secret-one\r\nX: y'], 'bad_token'],
    [['--kernel', 'http://x', '--token-file', '/nowhere'], 'bad_file: --token-file'],
    [[...REQUIRED, '--unknown', 'x'], 'bad_flag'],
    [[...REQUIRED, 'secret-two'], 'bad_flag'],
    [[...REQUIRED, '--tokne=secret-two'], 'bad_flag'],
  ])('refuses %j, and shows no token', (list, expected) => {
    expect(failure(list)).toContain(expected);
    expect(failure(list)).toMatch(/→|usage/);
    expect(failure(list)).not.toContain('secret');
  });
});

describe('a policy', () => {
  const tools = new Set(['create_doc', 'daily_note']);
  const read = (text: string) => readPolicy(text, 'policy.json', tools);

  it('allows what it names, and nothing by default', () => {
    expect(read('{}')).toEqual({ allow: [], otherwise: 'ask' });
    expect(read('{"allow":["create_doc"],"otherwise":"reject"}')).toEqual({ allow: ['create_doc'], otherwise: 'reject' });
  });

  it.each([
    '',
    'create_doc',
    '[]',
    'null',
    '{"allow":"create_doc"}',
    '{"allow":["*"]}',
    '{"allow":["creat_doc"]}',
    '{"alow":["create_doc"]}',
    '{"otherwise":"allow"}',
  ])('that is not exactly one allows nothing: the service does not start, and says how to write it: %s', (text) => {
    expect(() => read(text)).toThrow(/^bad_policy: policy\.json.*→/s);
  });

  it('is read when the service starts', () => {
    const options = parseArguments([...REQUIRED, '--policy', join(folder, 'nowhere.json')], {});
    expect(() => options.policy?.(tools)).toThrow(/^bad_file: --policy/);
  });
});
