import type { CompletionRequest } from '../../tools/contract/messages.ts';
import type { AnswerAssembler } from '../answer/answer-assembler.ts';
import type { ModelSettings } from '../language-model.ts';
import type { RequestBody } from '../request-body.ts';
import { bearer } from '../server/openai-client.ts';
import type { WireFormat } from '../server/wire-format.ts';
import { ResponsesReader } from './responses-answer.ts';
import { buildResponsesBody, optionsByName, type ResponsesOptions } from './responses-body.ts';

class OpenAIResponses implements WireFormat {
  readonly route = (): string => '/responses';
  readonly listRoute = (): string => '/models';
  readonly headers = bearer;
  private readonly settings: ModelSettings;
  private options: ResponsesOptions;

  constructor(settings: ModelSettings) {
    this.settings = settings;
    this.options = optionsByName(settings.model);
  }

  body(request: CompletionRequest): RequestBody {
    return buildResponsesBody(this.settings, request, this.options);
  }

  reader(assembler: AnswerAssembler): ResponsesReader {
    return new ResponsesReader(assembler, this.settings.model);
  }

  dropRefused(words: string): boolean {
    const { encrypted, summary, sampling } = this.options;
    if (encrypted && /encrypted|reasoning.{0,20}item|item.{0,20}reasoning|'?include'?/iu.test(words))
      this.options = { ...this.options, encrypted: false };
    else if (summary && /summar/iu.test(words)) this.options = { ...this.options, summary: false };
    else if (sampling && /temperature|top_p/iu.test(words)) this.options = { ...this.options, sampling: false };
    else return false;
    return true;
  }

  dropAdded(): (() => void) | null {
    const before = this.options;
    if (!before.encrypted && !before.summary) return null;
    this.options = { ...before, encrypted: false, summary: false };
    return () => {
      this.options = before;
    };
  }
}

export const responsesWire = (settings: ModelSettings): WireFormat => new OpenAIResponses(settings);
