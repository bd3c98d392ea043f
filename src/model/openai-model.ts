import type { CompletionRequest } from '../tools/contract/messages.ts';
import type { AnswerAssembler } from './answer/answer-assembler.ts';
import type { LanguageModel, ModelSettings } from './language-model.ts';
import { buildRequestBody, type RequestBody, type WireOptions } from './request-body.ts';
import { bearer } from './server/openai-client.ts';
import { createServerModel, type ServerModelOptions } from './server/server-model.ts';
import type { AnswerReader, WireFormat } from './server/wire-format.ts';

/** Fields next to an answer or its calls that another server refuses. */
const OF_EXTRA =
  /extra_content|reasoning_details|thinking_blocks|provider_specific_fields|signature|reasoning_encrypted|encrypted_content/i;

/** A server that requires what others do not: DeepSeek, Moonshot. */
const MISSES = /missing|must|required/i;

class ChatCompletions implements WireFormat {
  readonly route = (): string => '/chat/completions';
  readonly listRoute = (): string => '/models';
  readonly headers = bearer;
  private readonly settings: ModelSettings;
  private options: WireOptions = { withUsage: true };
  private takesReasoning = true;

  constructor(settings: ModelSettings) {
    this.settings = settings;
  }

  body(request: CompletionRequest): RequestBody {
    return buildRequestBody(this.settings, request, this.options);
  }

  reader(assembler: AnswerAssembler): AnswerReader {
    return {
      take: (chunk) => {
        assembler.take(chunk);
        this.rememberReasoningField(assembler);
        return false;
      },
      thoughts: undefined,
    };
  }

  dropRefused(words: string): boolean {
    const { withUsage, refusesExtra, reasoningField } = this.options;
    if (withUsage && /stream_options|include_usage/i.test(words)) this.options = { ...this.options, withUsage: false };
    else if (!refusesExtra && OF_EXTRA.test(words)) this.options = { ...this.options, refusesExtra: true };
    else if (reasoningField && /reasoning/i.test(words) && !MISSES.test(words)) {
      this.takesReasoning = false;
      this.options = { ...this.options, reasoningField: undefined };
    } else return false;
    return true;
  }

  dropAdded(words: string): (() => void) | null {
    const { options: before, takesReasoning } = this;
    const isBare = !before.withUsage && before.refusesExtra && !before.reasoningField;
    if (isBare || MISSES.test(words)) return null;
    this.takesReasoning = false;
    this.options = { ...before, withUsage: false, refusesExtra: true, reasoningField: undefined };
    return () => {
      this.takesReasoning = takesReasoning;
      this.options = before;
    };
  }

  /** Some servers refuse the results of an answer's calls unless they get its reasoning back. */
  private rememberReasoningField({ reasoningField }: AnswerAssembler): void {
    if (reasoningField && this.takesReasoning && reasoningField !== this.options.reasoningField)
      this.options = { ...this.options, reasoningField };
  }
}

export const createOpenAIModel = (options: ServerModelOptions): LanguageModel =>
  createServerModel(options, (settings) => new ChatCompletions(settings));
