// Masks keys, tokens and passwords in saved data of a call. A person's private words are masked elsewhere (src/model/masking).

export const SECRET = '•••';

/** The form of a provider's keys: a prefix, then random letters and digits. A word such as `key-takeaways` has no digit. */
const KEY =
  /(?<![\w-])(?:sk|pk|rk|gsk|xai|key|ghp|gho|ghu|ghs|ghr|github_pat|glpat|hf|npm|xox[abeoprs])[-_][\w-]{8,}|(?<![\w-])(?:AIza|AKIA)[\w-]{12,}/g;
const LETTERS_ONLY = /^sk-[A-Za-z]{12,}$/;
const isKey = (text: string): boolean => /\d/.test(text) || LETTERS_ONLY.test(text);

const TOKEN_OF_THREE = /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]+)?/g;
const PRIVATE_KEY = /(-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----)[A-Za-z0-9+/=\s\\]{8,}/g;
const IN_HEADER = /(authorization\\?["']?\s{0,3}[:=]\s{0,3}\\?["']?(?:bearer|basic|token)?\s{0,3})([^\s"'\\,;]{3,})/gi;
const AFTER_BEARER = /\b(bearer\s{1,3})([\w.~+/=-]{6,})/gi;
const isToken = (text: string): boolean => /\d|\w[.~+/=_-]\w/.test(text) || text.length >= 20;
const IN_ADDRESS = /([a-z][a-z0-9+.-]{1,20}:\/\/[^\s/:@]{0,100}:)[^\s/@]{1,200}@/gi;

const NAMES = 'api[-_]?key|access[-_]?key|private[-_]?key|secret|token|password|passwd|pwd|passphrase';
/** `token=…`, `"apiKey": "…"`. A colon alone is prose: “Password: see below”. */
const NAMED = new RegExp(`((?:${NAMES})(?:=\\\\?["']?|\\\\?["']\\s{0,3}[:=]\\s{0,3}\\\\?["']))([^\\s"'&;,<>\\\\]{3,})`, 'gi');
const SECRET_NAME = new RegExp(`(?:${NAMES}|authorization|credentials?|cookie)$`, 'i');

/** A text with its keys, tokens and passwords replaced. Linear in the length of the text. */
export function maskSecrets(text: string): string {
  return text
    .replace(PRIVATE_KEY, `$1${SECRET}`)
    .replace(IN_HEADER, `$1${SECRET}`)
    .replace(AFTER_BEARER, (whole, head: string, token: string) => (isToken(token) ? head + SECRET : whole))
    .replace(NAMED, `$1${SECRET}`)
    .replace(IN_ADDRESS, `$1${SECRET}@`)
    .replace(TOKEN_OF_THREE, SECRET)
    .replace(KEY, (key) => (isKey(key) ? SECRET : key));
}

const DEPTH = 20;

function maskValue(value: unknown, isSecret: boolean, depth: number): unknown {
  if (typeof value === 'string') return isSecret && value !== '' ? SECRET : maskSecrets(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return SECRET;
  if (Array.isArray(value)) return value.map((one: unknown) => maskValue(one, isSecret, depth - 1));
  return maskFields(value, isSecret, depth - 1);
}

const maskFields = (fields: object, isSecret: boolean, depth: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, maskValue(value, isSecret || SECRET_NAME.test(name), depth)]));

/** Arguments of a call with their secrets replaced: in texts, and every text below a name such as `apiKey` or `password`. */
export const maskArguments = (args: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> => maskFields(args, false, DEPTH);
