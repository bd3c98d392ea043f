import { resolve } from 'node:path';
import { type SiYuanVersion, VERSIONS } from './kernel/kernel.ts';

/** Wrong flags: the message says what to write instead. */
export class UsageError extends Error {}

export interface HostArguments {
  readonly port: number;
  readonly workspace: string;
  readonly token?: string;
  readonly accessCode?: string;
  readonly readOnly: boolean;
  readonly indexDelayMs: number;
  /** Without the page and the built plugin, unless they are named. */
  readonly kernelOnly: boolean;
  /** The SiYuan that it answers as. */
  readonly as: SiYuanVersion;
  /** As builds in which SiYuan's AI is switched off. */
  readonly aiOff: boolean;
  readonly plugins?: string;
  readonly shellDir?: string;
}

const USAGE =
  'usage: npm run host -- [--port P] [--workspace DIR] [--token T] [--access-code C] [--read-only] [--index-delay MS] [--kernel-only] [--as VERSION] [--ai-off] [--plugins DIR] [--shell DIR]';
const SWITCHES = ['--read-only', '--kernel-only', '--ai-off'];
const VALUE_FLAGS = ['--port', '--workspace', '--token', '--access-code', '--index-delay', '--as', '--plugins', '--shell'];

function wholeNumber(flag: string, text: string, max: number): number {
  const value = Number(text);
  if (text === '' || !Number.isInteger(value) || value < 0 || value > max) {
    throw new UsageError(`bad_value: ${flag} ${text} → give a whole number from 0 to ${max}\n${USAGE}`);
  }
  return value;
}

function versionOf(text: string): SiYuanVersion {
  const version = VERSIONS.find((each) => each === text);
  if (!version) throw new UsageError(`bad_value: --as ${text} → give one of ${VERSIONS.join(', ')}\n${USAGE}`);
  return version;
}

/** Reads the command line of the development host. Throws UsageError for anything that it does not know. */
export function parseArguments(list: readonly string[]): HostArguments {
  const values = new Map<string, string>();
  const switches = new Set<string>();
  for (let i = 0; i < list.length; i += 1) {
    const [flag = '', inline] = (list[i] ?? '').split(/=(.*)/s);
    if (SWITCHES.includes(flag) && inline === undefined) {
      switches.add(flag);
      continue;
    }
    if (SWITCHES.includes(flag)) throw new UsageError(`no_value: ${flag} takes no value → write it alone\n${USAGE}`);
    if (!VALUE_FLAGS.includes(flag)) throw new UsageError(`unknown_flag: ${flag}\n${USAGE}`);
    const value = inline ?? list[++i];
    if (value === undefined || (inline === undefined && value.startsWith('--'))) {
      throw new UsageError(`missing_value: ${flag} needs a value\n${USAGE}`);
    }
    values.set(flag, value);
  }
  const folder = (flag: string): string | undefined => {
    const value = values.get(flag);
    return value === undefined ? undefined : resolve(value);
  };
  const [token, accessCode] = [values.get('--token'), values.get('--access-code')];
  const [plugins, shellDir] = [folder('--plugins'), folder('--shell')];
  return {
    port: wholeNumber('--port', values.get('--port') ?? '6811', 65535),
    workspace: folder('--workspace') ?? resolve('.workspace'),
    readOnly: switches.has('--read-only'),
    kernelOnly: switches.has('--kernel-only'),
    as: versionOf(values.get('--as') ?? '3.7.3'),
    aiOff: switches.has('--ai-off'),
    indexDelayMs: wholeNumber('--index-delay', values.get('--index-delay') ?? '200', 600_000),
    ...(token !== undefined && { token }),
    ...(accessCode !== undefined && { accessCode }),
    ...(plugins !== undefined && { plugins }),
    ...(shellDir !== undefined && { shellDir }),
  };
}
