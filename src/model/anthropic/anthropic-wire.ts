import type { CompletionRequest } from '../../tools/contract/messages.ts';
import type { AnswerAssembler } from '../answer/answer-assembler.ts';
import type { ModelSettings } from '../language-model.ts';
import type { RequestBody } from '../request-body.ts';
import type { WireFormat } from '../server/wire-format.ts';
import { AnthropicReader } from './anthropic-answer.ts';
import { type AnthropicOptions, buildAnthropicBody, optionsByName } from './anthropic-body.ts';
import { anthropicHeaders, anthropicRoute } from './anthropic-server.ts';

/** How servers name the most that they write: “max_tokens: 20000 > 8192”. */
const MOST = /max_tokens:?\s*[\d,]+\s*>\s*([\d,]+)/u;

class AnthropicMessages implements WireFormat {
  readonly route = (base: string): string => anthropicRoute(base, '/messages');
  readonly listRoute = (base: string): string => `${anthropicRoute(base, '/models')}?limit=1000`;
  readonly modelRoute = (base: string, model: string): string => `${anthropicRoute(base, '/models')}/${encodeURIComponent(model)}`;
  private readonly settings: ModelSettings;
  private options: AnthropicOptions;
  /** Ways to ask for thoughts that were refused. */
  private readonly unthought = new Set<AnthropicOptions['thinking']>();

  constructor(settings: ModelSettings) {
    this.settings = settings;
    this.options = optionsByName(settings.model);
  }

  headers(base: string, apiKey: string): Readonly<Record<string, string | null>> {
    return { authorization: null, ...anthropicHeaders(base, apiKey) };
  }

  body(request: CompletionRequest): RequestBody {
    return buildAnthropicBody(this.settings, request, this.options);
  }

  reader(assembler: AnswerAssembler): AnthropicReader {
    return new AnthropicReader(assembler, this.settings.model);
  }

  dropRefused(words: string): boolean {
    const left = this.without(words);
    if (left === undefined) return false;
    this.options = { ...this.options, ...left };
    return true;
  }

  dropAdded(): (() => void) | null {
    const before = this.options;
    if (!before.cached && !before.signed) return null;
    this.options = { ...before, cached: false, signed: false };
    return () => {
      this.options = before;
    };
  }

  /** What to do differently; undefined where the words name nothing of ours. */
  private without(words: string): Partial<AnthropicOptions> | undefined {
    const { most, cached, signed, sampling, thinking } = this.options;
    const named = Number(MOST.exec(words)?.[1]?.replaceAll(',', ''));
    if (named > 0 && named < most) return { most: named };
    if (cached && /cache_control/iu.test(words)) return { cached: false };
    if (signed && /signature|cannot be modified|thinking blocks?\b|\.thinking\b/iu.test(words)) return { signed: false };
    if (sampling && /temperature|top_[pk]/iu.test(words)) return { sampling: false };
    if (thinking === 'none' || !/thinking|budget_tokens|adaptive|output_config(?!\.)/iu.test(words)) return undefined;
    this.unthought.add(thinking);
    return { thinking: (['adaptive', 'budget'] as const).find((each) => !this.unthought.has(each)) ?? 'none' };
  }
}

export const anthropicWire = (settings: ModelSettings): WireFormat => new AnthropicMessages(settings);
