import { fieldOf } from '../../tools/util/plain-value.ts';

/** The value of a name; undefined where it is not there, or not for this server. */
type Lookup = (name: string) => string | undefined;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Newer versions keep each secret to some hosts. */
function isFor(item: unknown, baseURL: string): boolean {
  const hosts = fieldOf(item, 'allowedHosts');
  if (!Array.isArray(hosts)) return true;
  const { host, hostname } = URL.canParse(baseURL) ? new URL(baseURL) : { host: '', hostname: '' };
  return host !== '' && hosts.some((each) => [host, hostname].includes(String(each).trim().toLowerCase()));
}

function lookupIn(store: unknown, baseURL: string): Lookup {
  const items = listOf(fieldOf(store, 'items'));
  return (name) => {
    const value = fieldOf(
      items.find((item) => fieldOf(item, 'name') === name && isFor(item, baseURL)),
      'value',
    );
    return typeof value === 'string' ? value : undefined;
  };
}

/** As SiYuan fills them in: secrets before variables; a name that nobody knows stays as it is written. */
function filled(text: string, secret: Lookup, variable: Lookup): string {
  return text.replace(
    /\{\{(secrets|vars)\.([^}]+)\}\}|\$\{([A-Za-z_]\w*)\}|\$([A-Za-z_]\w*)/gu,
    (found: string, store: string | undefined, stored: string | undefined, braced: string | undefined, plain: string | undefined) => {
      if (stored !== undefined) return (store === 'secrets' ? secret(stored) : variable(stored)) ?? found;
      const name = braced ?? plain ?? '';
      return secret(name) ?? variable(name) ?? found;
    },
  );
}

const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/u;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/u;

/** Fills SiYuan's secrets and variables into a provider's headers, names in lower case, without those that no request could carry. */
export function headerValues(
  headers: Readonly<Record<string, unknown>>,
  baseURL: string,
  config: unknown,
): Readonly<Record<string, string>> {
  const secret = lookupIn(fieldOf(config, 'secrets'), baseURL);
  const variable = lookupIn(fieldOf(config, 'variables'), baseURL);
  const pairs = Object.entries(headers).flatMap(([name, given]): [string, string][] => {
    const value = typeof given === 'string' ? filled(given, secret, variable).trim() : undefined;
    return value !== undefined && NAME.test(name) && VALUE.test(value) ? [[name.toLowerCase(), value]] : [];
  });
  return Object.fromEntries(pairs);
}
