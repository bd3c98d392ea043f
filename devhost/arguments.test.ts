import { describe, expect, it } from 'vitest';
import { parseArguments, UsageError } from './arguments.ts';

describe('the command line of the host', () => {
  it('reads every flag, apart or with =', () => {
    const list = [
      '--port',
      '7000',
      '--workspace=/w',
      '--token',
      't',
      '--access-code=c',
      '--read-only',
      '--index-delay',
      '0',
      '--kernel-only',
      '--as',
      '3.8',
      '--ai-off',
    ];
    expect(parseArguments(list)).toEqual({
      ...{ port: 7000, workspace: '/w', token: 't', accessCode: 'c', readOnly: true, indexDelayMs: 0, kernelOnly: true },
      ...{ as: '3.8', aiOff: true },
    });
  });

  it('has defaults', () => {
    expect(parseArguments([])).toMatchObject({
      port: 6811,
      readOnly: false,
      indexDelayMs: 200,
      kernelOnly: false,
      as: '3.7.3',
      aiOff: false,
    });
  });

  it.each([
    [['--nope'], 'unknown_flag: --nope'],
    [['--port'], 'missing_value: --port needs a value'],
    [['--token', '--read-only'], 'missing_value: --token needs a value'],
    [['--port', 'abc'], 'bad_value: --port abc'],
    [['--kernel-only=yes'], 'no_value: --kernel-only takes no value'],
    [['--as', '3.6'], 'bad_value: --as 3.6'],
    [['--index-delay', '-1'], 'bad_value: --index-delay -1'],
  ])('says what is wrong with %j', (list, message) => {
    expect(() => parseArguments(list)).toThrow(UsageError);
    expect(() => parseArguments(list)).toThrow(message);
  });
});
