import type { AnswerPart } from '../../tools/contract/messages.ts';
import { fieldOf, isRecord, textOrEmpty } from '../../tools/util/plain-value.ts';
import type { AnswerAssembler } from '../answer/answer-assembler.ts';
import { ThoughtRecord } from '../answer/signed-thoughts.ts';
import type { AnswerReader } from '../server/wire-format.ts';
import { RESPONSES } from './responses-body.ts';

type Fields = Readonly<Record<string, unknown>>;
type Said = 'content' | 'reasoning' | 'refusal';

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const textsOf = (list: unknown, name = 'text'): string =>
  listOf(list)
    .map((part) => textOrEmpty(fieldOf(part, name)))
    .join('');

/** A finished item of an answer as a part of it; undefined for what nothing has to come back of. */
function partOf(item: unknown): AnswerPart | undefined {
  if (!isRecord(item)) return undefined;
  const { type, id, phase } = item;
  if (type === 'reasoning') return { thought: item };
  if (type === 'function_call') return { call: typeof id === 'string' ? { id } : {} };
  return type === 'message' ? { text: typeof phase === 'string' ? { phase } : {} } : undefined;
}

const END = /^response\.(completed|incomplete|failed|cancelled)$/u;

/** Reads an answer of `/responses` into the chunks that the assembler takes, and keeps its thoughts as they were encrypted. */
export class ResponsesReader implements AnswerReader {
  private readonly assembler: AnswerAssembler;
  private readonly record: ThoughtRecord;
  /** What came of an item, by its place and kind: none is taken twice. */
  private readonly taken = new Set<string>();
  private hasCalls = false;
  private last = '';
  private readonly said = new Set<Said>();

  constructor(assembler: AnswerAssembler, model: string) {
    this.assembler = assembler;
    this.record = new ThoughtRecord(RESPONSES, model);
  }

  get thoughts() {
    return this.record.thoughts;
  }

  take(event: unknown): boolean {
    const type = textOrEmpty(fieldOf(event, 'type'));
    const index = Number(fieldOf(event, 'output_index') ?? 0);
    const piece = textOrEmpty(fieldOf(event, 'delta'));
    const within = `${fieldOf(event, 'summary_index') ?? ''} ${fieldOf(event, 'content_index') ?? ''}`;
    switch (type) {
      case 'response.created':
        this.choice({});
        return false;
      case 'response.output_text.delta':
        this.say('content', piece, index, '');
        return false;
      case 'response.refusal.delta':
        this.say('refusal', piece, index, '');
        return false;
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        this.sayThought(type, piece, index, within);
        return false;
      case 'response.output_item.added':
        this.open(index, fieldOf(event, 'item'));
        return false;
      case 'response.function_call_arguments.delta':
        this.growCall(index, piece);
        return false;
      case 'response.function_call_arguments.done':
        this.closeCall(index, textOrEmpty(fieldOf(event, 'arguments')));
        return false;
      case 'response.output_item.done':
        this.takeItem(index, fieldOf(event, 'item'), true);
        return false;
    }
    const isWhole = fieldOf(event, 'object') === 'response';
    if (!isWhole && !END.test(type)) return false;
    this.takeEnd(isWhole ? event : fieldOf(event, 'response'), END.exec(type)?.[1]);
    return true;
  }

  private takeEnd(response: unknown, ended: string | undefined): void {
    const output = listOf(fieldOf(response, 'output'));
    for (const [index, item] of output.entries()) this.takeItem(index, item, false);
    if (output.length > 0) this.record.replace(output.flatMap((item) => partOf(item) ?? []));
    this.count(fieldOf(response, 'usage'));
    const status = ended ?? textOrEmpty(fieldOf(response, 'status'));
    const reason = textOrEmpty(fieldOf(fieldOf(response, 'incomplete_details'), 'reason'));
    this.choice({}, this.finishOf(status, reason));
  }

  private finishOf(status: string, reason: string): string {
    if (status === 'incomplete') return reason || 'length';
    if (status === 'failed' || status === 'cancelled') return 'error';
    return this.hasCalls ? 'tool_calls' : 'stop';
  }

  /** What of a finished item did not come in pieces. */
  private takeItem(index: number, item: unknown, isNew: boolean): void {
    const part = partOf(item);
    if (part && isNew) this.record.add(part);
    const type = fieldOf(item, 'type');
    if (type === 'function_call') {
      this.open(index, item);
      this.closeCall(index, textOrEmpty(fieldOf(item, 'arguments')));
    } else if (type === 'message') {
      if (!this.taken.has(`content ${index}`)) this.say('content', textsOf(fieldOf(item, 'content')), index, '');
      if (!this.taken.has(`refusal ${index}`)) this.say('refusal', textsOf(fieldOf(item, 'content'), 'refusal'), index, '');
    } else if (type === 'reasoning' && !this.taken.has(`reasoning ${index}`)) {
      const summary = listOf(fieldOf(item, 'summary')).map((each) => textOrEmpty(fieldOf(each, 'text')));
      this.say('reasoning', summary.filter((text) => text !== '').join('\n\n') || textsOf(fieldOf(item, 'content')), index, '');
    }
  }

  private open(index: number, item: unknown): void {
    if (fieldOf(item, 'type') !== 'function_call' || this.taken.has(`call ${index}`)) return;
    this.taken.add(`call ${index}`);
    this.hasCalls = true;
    this.choice({
      tool_calls: [{ index, id: fieldOf(item, 'call_id') ?? fieldOf(item, 'id'), function: { name: fieldOf(item, 'name') } }],
    });
  }

  private growCall(index: number, json: string): void {
    if (json === '') return;
    this.taken.add(`arguments ${index}`);
    this.choice({ tool_calls: [{ index, function: { arguments: json } }] });
  }

  private closeCall(index: number, json: string): void {
    if (!this.taken.has(`arguments ${index}`)) this.growCall(index, json);
  }

  /** A server tells its thoughts or their summary; one that tells both tells them twice. */
  private sayThought(type: string, text: string, index: number, within: string): void {
    this.taken.add(`${type} ${index}`);
    const isSummary = type.includes('summary');
    if (this.taken.has(`response.reasoning_${isSummary ? '' : 'summary_'}text.delta ${index}`)) return;
    this.say('reasoning', text, index, within);
  }

  /** Items, and parts of a summary, stand apart. */
  private say(name: Said, text: string, index: number, within: string): void {
    if (text === '') return;
    this.taken.add(`${name} ${index}`);
    const place = `${name} ${index} ${within}`;
    const isApart = this.said.has(name) && this.last !== place && !this.taken.has(place);
    this.taken.add(place);
    this.last = place;
    this.said.add(name);
    this.choice({ [name]: isApart ? `\n\n${text}` : text });
  }

  private choice(delta: Fields, finish?: string): void {
    this.assembler.take({ choices: [{ delta, ...(finish === undefined ? {} : { finish_reason: finish }) }] });
  }

  private count(usage: unknown): void {
    if (!isRecord(usage)) return;
    const { input_tokens: prompt, output_tokens: completion, total_tokens: total } = usage;
    const prompt_tokens_details = usage.input_tokens_details;
    this.assembler.take({ usage: { prompt_tokens: prompt, completion_tokens: completion, total_tokens: total, prompt_tokens_details } });
  }
}
