import { fieldOf, isRecord, textOrEmpty } from '../../tools/util/plain-value.ts';
import type { AnswerAssembler } from '../answer/answer-assembler.ts';
import { ThoughtRecord } from '../answer/signed-thoughts.ts';
import type { AnswerReader } from '../server/wire-format.ts';
import { ANTHROPIC } from './anthropic-messages.ts';

type Fields = Readonly<Record<string, unknown>>;

type Said = 'content' | 'reasoning';

const TOKENS = ['input_tokens', 'cache_creation_input_tokens', 'cache_read_input_tokens', 'output_tokens'] as const;

/** Reads an answer of `/messages` into the chunks that the assembler takes, and keeps its thoughts as they were signed. */
export class AnthropicReader implements AnswerReader {
  private readonly assembler: AnswerAssembler;
  private readonly record: ThoughtRecord;
  /** Blocks of thoughts that are being written, by their index. */
  private readonly open = new Map<number, Record<string, unknown>>();
  /** Calls of our tools, by their index. */
  private readonly calls = new Set<number>();
  /** Cumulative: what comes later replaces what came before. */
  private readonly used: Partial<Record<(typeof TOKENS)[number], number>> = {};
  private lastType = '';
  private readonly said = new Set<Said>();
  /** What goes on behind something else. */
  private readonly apart = new Set<Said>();

  constructor(assembler: AnswerAssembler, model: string) {
    this.assembler = assembler;
    this.record = new ThoughtRecord(ANTHROPIC, model);
  }

  get thoughts() {
    return this.record.thoughts;
  }

  take(event: unknown): boolean {
    const index = Number(fieldOf(event, 'index') ?? 0);
    switch (fieldOf(event, 'type')) {
      case 'message_start':
        this.count(fieldOf(fieldOf(event, 'message'), 'usage'), {});
        return false;
      case 'content_block_start':
        this.begin(index, fieldOf(event, 'content_block'));
        return false;
      case 'content_block_delta':
        this.grow(index, fieldOf(event, 'delta'));
        return false;
      case 'message_delta':
        this.count(fieldOf(event, 'usage'), this.finishOf(fieldOf(event, 'delta')));
        return false;
      case 'message':
        this.takeWhole(event);
        return true;
      default:
        return fieldOf(event, 'type') === 'message_stop';
    }
  }

  /** A server that does not stream. */
  private takeWhole(message: unknown): void {
    const blocks = fieldOf(message, 'content');
    if (Array.isArray(blocks)) for (const [index, block] of blocks.entries()) this.begin(index, block);
    this.count(fieldOf(message, 'usage'), this.finishOf(message));
  }

  private finishOf(place: unknown): Fields {
    const reason = fieldOf(place, 'stop_reason');
    // No tool of the server's is asked for, which alone would pause: what there is, is not whole.
    return { finish_reason: reason === 'pause_turn' ? 'length' : reason };
  }

  private begin(index: number, block: unknown): void {
    if (!isRecord(block)) return;
    const type = textOrEmpty(block.type);
    if (type === 'text') {
      if (this.lastType !== 'text') this.apart.add('content');
      this.record.add({ text: {} });
      this.send('content', textOrEmpty(block.text));
    } else if (type === 'thinking' || type === 'redacted_thinking') {
      const thought = { ...block };
      this.apart.add('reasoning');
      this.open.set(index, thought);
      this.record.add({ thought });
      this.send('reasoning', textOrEmpty(block.thinking));
    } else if (type === 'tool_use') {
      const input = isRecord(block.input) && Object.keys(block.input).length > 0 ? JSON.stringify(block.input) : '';
      this.record.add({ call: {} });
      this.calls.add(index);
      this.delta({ tool_calls: [{ index, id: block.id, function: { name: block.name, arguments: input } }] });
    }
    this.lastType = type;
  }

  private grow(index: number, delta: unknown): void {
    const thought = this.open.get(index);
    const signature = textOrEmpty(fieldOf(delta, 'signature'));
    const thinking = textOrEmpty(fieldOf(delta, 'thinking'));
    if (thought !== undefined) {
      thought.thinking = textOrEmpty(thought.thinking) + thinking;
      if (signature !== '') thought.signature = textOrEmpty(thought.signature) + signature;
    }
    this.send('reasoning', thinking);
    this.send('content', textOrEmpty(fieldOf(delta, 'text')));
    const json = textOrEmpty(fieldOf(delta, 'partial_json'));
    // Tools of the server itself have arguments, too.
    if (json !== '' && this.calls.has(index)) this.delta({ tool_calls: [{ index, function: { arguments: json } }] });
  }

  private send(name: Said, text: string): void {
    if (text === '') return;
    const isApart = this.apart.delete(name) && this.said.has(name);
    this.said.add(name);
    this.delta({ [name]: isApart ? `\n\n${text}` : text });
  }

  private delta(delta: Fields): void {
    this.assembler.take({ choices: [{ delta }] });
  }

  private count(usage: unknown, choice: Fields): void {
    for (const name of TOKENS) {
      const tokens = fieldOf(usage, name);
      // Gateways begin with zeros where they do not know it yet.
      if (typeof tokens === 'number' && tokens > 0) this.used[name] = tokens;
    }
    const { input_tokens = 0, cache_creation_input_tokens = 0, cache_read_input_tokens = 0, output_tokens = 0 } = this.used;
    const prompt = input_tokens + cache_creation_input_tokens + cache_read_input_tokens;
    const counted = {
      prompt_tokens: prompt,
      completion_tokens: output_tokens,
      total_tokens: prompt + output_tokens,
      prompt_tokens_details: { cached_tokens: cache_read_input_tokens },
    };
    this.assembler.take({ ...(prompt + output_tokens > 0 ? { usage: counted } : {}), choices: [{ delta: {}, ...choice }] });
  }
}
