import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { UsageError } from './contract/errors.ts';
import { readPolicy } from './contract/policy.ts';
import type { AllowedSecret } from './kernel/bound-secrets.ts';
import { isTimeZone } from './kernel/time-zone.ts';
import type { GivenModel } from './kernel/workspace-settings.ts';
import { KEEP_RECORDS_DAYS, type ServiceOptions } from './service.ts';

const DEFAULT_PORT = 6810;

export const USAGE = `usage: marginalia-service --kernel URL [--kernel-token T | --kernel-token-file FILE] [--token S | --token-file FILE] [--stdio] [--mcp-programs] [--port ${DEFAULT_PORT}]
  [--host 127.0.0.1] [--data DIR] [--policy FILE] [--keep-records DAYS] [--folder DIR]… [--scripts DIR] [--allow-key NAME=ORIGIN]… [--allow-host NAME]… [--allow-origin ORIGIN]… [--time-zone ZONE]
tokens also come from MARGINALIA_KERNEL_TOKEN and MARGINALIA_SERVICE_TOKEN; a model from OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL;
the key of a search service from MARGINALIA_SEARCH_KEY; from the source, npm run service -- --demo runs it over a sample workspace`;

const FLAGS = {
  kernel: { type: 'string' },
  'kernel-token': { type: 'string' },
  'kernel-token-file': { type: 'string' },
  token: { type: 'string' },
  'token-file': { type: 'string' },
  stdio: { type: 'boolean' },
  'mcp-programs': { type: 'boolean' },
  port: { type: 'string' },
  host: { type: 'string' },
  data: { type: 'string' },
  policy: { type: 'string' },
  'keep-records': { type: 'string' },
  folder: { type: 'string', multiple: true },
  scripts: { type: 'string' },
  'allow-key': { type: 'string', multiple: true },
  'allow-host': { type: 'string', multiple: true },
  'allow-origin': { type: 'string', multiple: true },
  'time-zone': { type: 'string' },
} as const;

type Values = ReturnType<typeof parseFlags>;
type Environment = Readonly<Record<string, string | undefined>>;

function parseFlags(list: readonly string[]) {
  try {
    return parseArgs({ args: [...list], options: FLAGS, strict: true }).values;
  } catch (error) {
    // Node's message names an unknown flag; a word without one may be a token, and is not repeated.
    const isFlag = error instanceof Error && 'code' in error && error.code !== 'ERR_PARSE_ARGS_UNEXPECTED_POSITIONAL';
    throw new UsageError(`bad_flag: ${isFlag ? error.message.split('. ')[0] : 'there is a value without its flag'}\n${USAGE}`);
  }
}

function readFlagFile(file: string, flag: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new UsageError(`bad_file: ${flag} ${file} cannot be read (${why}) → name a readable file`);
  }
}

/** A token by flag, else by file, else by the environment; undefined if there is none. */
function tokenOf(values: Values, name: 'token' | 'kernel-token', fallback: string | undefined): string | undefined {
  const file = values[`${name}-file`];
  const token = values[name] ?? (file === undefined ? fallback : readFlagFile(file, `--${name}-file`).trim());
  if (token === undefined) return undefined;
  if (/^[\x21-\x7e]+$/.test(token)) return token;
  throw new UsageError(
    `bad_token: the value of --${name} is empty, or has characters that a header cannot contain → use letters and digits`,
  );
}

function portOf(text: string | undefined): number {
  const port = Number(text ?? DEFAULT_PORT);
  if (text !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new UsageError(`bad_value: --port ${text} → give a whole number from 0 to 65535`);
}

function daysOf(text: string | undefined): number {
  const days = Number(text ?? KEEP_RECORDS_DAYS);
  if (text !== '' && Number.isInteger(days) && days >= 1 && days <= 3650) return days;
  throw new UsageError(`bad_value: --keep-records ${text} → give a whole number of days from 1 to 3650`);
}

/** An empty path would be the folder in which the service is started, for example if a shell variable is not set. */
function folderOf(flag: string, folder: string): string {
  if (folder !== '') return resolve(folder);
  throw new UsageError(`bad_value: --${flag} is empty → name a folder`);
}

/** A variable, and the origin or the program that its value may go to. */
function secretOf(text: string): AllowedSecret {
  const [, variable = '', place = ''] = /^(MARGINALIA_\w+)=(https?:\/\/.+|program:.+)$/i.exec(text) ?? [];
  if (variable !== '' && URL.canParse(place)) return { variable, place };
  throw new UsageError('bad_value: --allow-key → give it as the log prints it, such as MARGINALIA_MCP_WEATHER=https://mcp.example');
}

function kernelOf(address: string | undefined): string {
  if (address === undefined)
    throw new UsageError(`missing: --kernel → name the address of SiYuan, such as http://127.0.0.1:6806\n${USAGE}`);
  const url = URL.canParse(address) ? new URL(address) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.pathname !== '/' || url.search !== '' || url.username !== '' || url.password !== '')
    throw new UsageError('bad_value: --kernel → give an address such as http://127.0.0.1:6806, without path and password');
  return url.origin;
}

/** The model named by the environment; undefined if there is none. */
function modelOf({ OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL }: Environment): GivenModel | undefined {
  if (!OPENAI_API_KEY && !OPENAI_BASE_URL) return undefined;
  return {
    baseURL: OPENAI_BASE_URL || 'https://api.openai.com/v1',
    apiKey: OPENAI_API_KEY || 'none',
    model: OPENAI_MODEL || 'gpt-5-mini',
  };
}

function zoneOf(zone: string | undefined): string | undefined {
  if (zone === undefined || isTimeZone(zone)) return zone;
  throw new UsageError(`bad_value: --time-zone ${zone} → give a name such as Asia/Shanghai or Europe/Berlin`);
}

export const wantsHelp = (list: readonly string[]): boolean => list.includes('--help') || list.includes('-h');

/** Parses the command line. Throws UsageError, which never contains a token. */
export function parseArguments(list: readonly string[], environment: Environment): Omit<ServiceOptions, 'log'> {
  const values = parseFlags(list);
  const token = tokenOf(values, 'token', environment.MARGINALIA_SERVICE_TOKEN);
  const { stdio = false } = values;
  if (token === undefined && !stdio)
    throw new UsageError(`missing: --token → choose a long random one (openssl rand -hex 24), or set MARGINALIA_SERVICE_TOKEN\n${USAGE}`);
  const { policy } = values;
  return {
    kernel: kernelOf(values.kernel),
    kernelToken: tokenOf(values, 'kernel-token', environment.MARGINALIA_KERNEL_TOKEN),
    token,
    zone: zoneOf(values['time-zone']),
    stdio,
    mcpPrograms: values['mcp-programs'],
    port: portOf(values.port),
    host: values.host ?? '127.0.0.1',
    data: folderOf('data', values.data ?? '.marginalia-service'),
    folders: values.folder?.map((folder) => folderOf('folder', folder)),
    scripts: values.scripts === undefined ? undefined : folderOf('scripts', values.scripts),
    allowedSecrets: values['allow-key']?.map(secretOf),
    hosts: values['allow-host'] ?? [],
    origins: values['allow-origin'] ?? [],
    model: modelOf(environment),
    searchKey: environment.MARGINALIA_SEARCH_KEY || undefined,
    keepRecordsDays: daysOf(values['keep-records']),
    policy: policy === undefined ? undefined : (tools) => readPolicy(readFlagFile(policy, '--policy'), policy, tools),
  };
}
