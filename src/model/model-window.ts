import { REQUEST_SHARE, type RequestWindow } from '../tools/chain/chain-requests.ts';

/** What overflows revealed about a model, kept on the device. Values are the maximum tokens of a request. */
export interface WindowMemory {
  get(key: string): number | undefined;
  /** `isStated`: the server named its limit; otherwise one overflow counts for now and the next is saved. */
  set(key: string, tokens: number, isStated?: boolean): void;
  /** The server itself states it now, or the person wants it forgotten. */
  remove(key: string): void;
}

const HOSTED: readonly (readonly [RegExp, number])[] = [
  [/^gpt-4\.1/, 1_047_576],
  [/^gpt-5/, 400_000],
  [/^gpt-4o|^chatgpt-4o|^gpt-4-turbo|^gpt-4-1106|^gpt-4-0125/, 128_000],
  [/^gpt-4-32k/, 32_768],
  [/^gpt-4(?:-0613|-0314)?$/, 8192],
  [/^gpt-3\.5/, 16_385],
  [/^o1-(?:mini|preview)/, 128_000],
  [/^o[134](?:-|$)/, 200_000],
  [/^claude-/, 200_000],
  [/^gemini-/, 1_000_000],
  [/^deepseek-(?:chat|reasoner)/, 64_000],
  [/^(?:mistral|codestral|ministral|pixtral)-.*(?:latest|\d{4})$/, 32_000],
  [/^grok-/, 131_072],
  [/^moonshot-v1-8k/, 8192],
  [/^moonshot-v1-32k/, 32_768],
  [/^(?:moonshot-v1-128k|kimi-)/, 128_000],
  [/^qwen-(?:max|plus|turbo)/, 32_768],
  [/^glm-4/, 128_000],
];

/** For an unknown model: small enough for most servers' defaults, and still a long conversation. */
const UNKNOWN = 32_000;
/** Requests below this size fit into any window: nobody need be asked for it. */
export const ALWAYS_FITS = 6000;
const PATIENCE_MS = 3000;

export function windowByName(model: string): number | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  return HOSTED.find(([pattern]) => pattern.test(name))?.[1];
}

const STATED = [
  /maximum context length (?:is|of) ([\d,]+)/i,
  /([\d,]+) maximum context length/i,
  /context (?:size|window|length)[^\d]{0,24}([\d,]+)/i,
  />\s*([\d,]+) maximum/i,
];

export function statedWindow(words: string): number | undefined {
  for (const pattern of STATED) {
    const size = Number(pattern.exec(words)?.[1]?.replaceAll(',', ''));
    if (Number.isInteger(size) && size >= 512) return size;
  }
  return undefined;
}

export interface ModelWindowDeps {
  readonly model: string;
  readonly key: string;
  readonly memory: WindowMemory;
  /** The server is on this machine or network, where its owner sets the window: it is asked again, and its answer has precedence. */
  readonly isLocal?: boolean;
  /** Its provider describes each of its models: what it says goes before what the name says. */
  readonly isListed?: boolean;
  /** The person's own number, if the server states none. */
  readonly given?: number | undefined;
  /** The model's current window from the server; undefined if it gives none. May reject. Remote: asked at most once, for unknown models. */
  readonly served: (signal: AbortSignal) => Promise<number | undefined>;
  readonly now?: () => number;
}

/** Estimated tokens from which a server's count tells something of the estimate, and the most that it is corrected by. */
const LEAST_COUNTED = 1000;
const MOST_RATIO = 3;

/** Milliseconds for which a local server's answer is valid, and for which a request waits for it. */
const FRESH_MS = 15_000;
const LOCAL_PATIENCE_MS = 1500;

/** The maximum length of a request to one model: from its server, else from an overflow, else from its name. */
export class ModelWindow implements RequestWindow {
  private readonly deps: ModelWindowDeps;
  private size: Promise<number> | undefined;
  private stated: number | undefined;
  /** The last answer of a local server, and its time. */
  private real: { readonly size: number | undefined; readonly at: number } | undefined;
  private asking: Promise<void> | undefined;
  /** A request that was too long although it seemed to fit: our estimate is too low there. */
  private tooLong: { readonly size: number; readonly limit: number } | undefined;

  /** Tokens of this model in one of our estimate, as its server counted; at least one. */
  private ratio = 1;

  constructor(deps: ModelWindowDeps) {
    this.deps = deps;
  }

  async tokens(atLeast: number): Promise<number | undefined> {
    const { key, memory } = this.deps;
    const real = (await this.realSize()) ?? this.deps.given;
    if (real !== undefined) {
      // It may have been restarted with another window.
      const { size, limit = real } = this.tooLong ?? {};
      return Math.floor(Math.min((real * REQUEST_SHARE) / this.ratio, size === real ? limit : real));
    }
    const learnt = memory.get(key);
    if (learnt !== undefined) return learnt;
    if (atLeast <= ALWAYS_FITS) return undefined;
    this.size ??= this.findSize();
    return Math.floor(((await this.size) * REQUEST_SHARE) / this.ratio);
  }

  /** Takes the limit from a server's message about a request that was too long. */
  readLimit(words: string): void {
    this.stated = statedWindow(words);
  }

  counted(estimate: number, tokens: number): void {
    if (estimate >= LEAST_COUNTED && tokens > 0) this.ratio = Math.min(MOST_RATIO, Math.max(1, tokens / estimate));
  }

  overflowed(estimate: number): void {
    const { key, memory } = this.deps;
    // A size named by the server may still be more than our estimate of what it refused.
    const limit = Math.max(512, Math.floor(Math.min(this.stated ?? estimate, estimate) * REQUEST_SHARE));
    const real = this.real?.size ?? this.deps.given;
    if (real === undefined) memory.set(key, Math.min(limit, memory.get(key) ?? limit), this.stated !== undefined);
    else this.tooLong = { size: real, limit: this.tooLong?.size === real ? Math.min(limit, this.tooLong.limit) : limit };
    // It may have been restarted with a smaller one.
    if (this.real) this.real = { ...this.real, at: Number.NEGATIVE_INFINITY };
  }

  private async realSize(): Promise<number | undefined> {
    const { isLocal = false, served, now = Date.now } = this.deps;
    if (!isLocal) return undefined;
    if (this.real && now() - this.real.at < FRESH_MS) return this.real.size;
    const signal = AbortSignal.timeout(LOCAL_PATIENCE_MS);
    this.asking ??= served(signal)
      .then((size) => {
        this.real = { size, at: now() };
        if (size !== undefined) this.deps.memory.remove(this.deps.key);
      })
      .catch(() => {
        // It is busy, or has no such list: its last answer still counts.
        this.real = { size: this.real?.size, at: now() };
      })
      .finally(() => {
        this.asking = undefined;
      });
    await this.asking;
    return this.real?.size;
  }

  private async findSize(): Promise<number> {
    const { model, served, isListed = false } = this.deps;
    const known = windowByName(model);
    if (known !== undefined && !isListed) return known;
    try {
      return (await served(AbortSignal.timeout(PATIENCE_MS))) ?? known ?? UNKNOWN;
    } catch {
      // A server without such a list, or a slow one: the question itself reveals what is wrong.
      return known ?? UNKNOWN;
    }
  }
}

export interface KeptWindows {
  get(key: string): string | undefined;
  set(key: string, tokens: string): unknown;
  delete(key: string): unknown;
}

/** Without a store, for as long as the program runs. */
export function windowMemory(kept: KeptWindows = new Map()): WindowMemory {
  const now = new Map<string, number>();
  const keptSize = (key: string): number | undefined => {
    const tokens = Number(kept.get(key) ?? Number.NaN);
    return Number.isInteger(tokens) && tokens > 0 ? tokens : undefined;
  };
  return {
    get: (key) => now.get(key) ?? keptSize(key),
    set(key, tokens, isStated = false) {
      if (isStated || now.has(key) || keptSize(key) !== undefined) kept.set(key, String(tokens));
      now.set(key, tokens);
    },
    remove(key) {
      now.delete(key);
      kept.delete(key);
    },
  };
}
