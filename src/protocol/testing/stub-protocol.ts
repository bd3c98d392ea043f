import type { RequestStream, StreamPart, ToolCallingProtocol } from '../contract.ts';

/** A minimal protocol: `[[name key=value …]]`, values without spaces; `!` marks a value that is not closed. For tests. */
export const stubProtocol: ToolCallingProtocol = {
  id: 'stub',
  label: 'Stub',
  stopSequences: [']]'],
  resultStart: '{{',
  generateToolDefinitions: (input) =>
    `TOOLS: ${input.flatMap(({ methods }) => methods.map(({ definition }) => definition.function.name)).join(', ')}`,
  parseToolRequests: () => [],
  formatToolResults: (results) =>
    results
      .map(({ requestId, toolName, status, durationMs, result }) => `{{${requestId} ${toolName} ${status} ${durationMs}: ${result}}}`)
      .join('\n'),
  formatToolRequest: ({ requestId, toolName, args }) => `[[${toolName} id=${requestId} ${JSON.stringify(args)}]]`,
  stream: () => new StubStream(),
};

class StubStream implements RequestStream {
  private held = '';
  private index = 0;
  private block: string | undefined;

  take(piece: string): readonly StreamPart[] {
    const parts: StreamPart[] = [];
    for (const letter of piece) parts.push(...this.letter(letter));
    return parts;
  }

  end(stopped = false): readonly StreamPart[] {
    if (this.block === undefined) return this.held === '' ? [] : [{ type: 'text', text: this.held }];
    return stopped ? this.take(']]') : [this.request('the request was interrupted')];
  }

  private letter(letter: string): readonly StreamPart[] {
    if (this.block !== undefined) {
      this.block += letter;
      return this.inBlock(letter);
    }
    this.held += letter;
    if (this.held === '[') return [];
    const { held } = this;
    this.held = '';
    if (held !== '[[') return [{ type: 'text', text: held }];
    this.block = '';
    return [{ type: 'start', index: this.index }];
  }

  private inBlock(letter: string): readonly StreamPart[] {
    const { block = '', index } = this;
    if (block.endsWith(']]')) return [this.request(block.includes('!') ? 'a value is not closed' : undefined)];
    const words = block.split(' ');
    const word = words.at(-1) ?? '';
    if (letter === ' ' && words.length === 2) return [{ type: 'name', index, toolName: words[0] ?? '' }];
    const at = word.indexOf('=');
    return at < 0 || letter === ']' || at === word.length - 1 ? [] : [{ type: 'argument', index, key: word.slice(0, at), text: letter }];
  }

  private request(invalid?: string): StreamPart {
    const rawBlock = this.block ?? '';
    this.block = undefined;
    const [toolName = '', ...fields] = rawBlock.replace(/\]\]$/, '').split(' ');
    const args = Object.fromEntries(fields.map((field) => field.split('=', 2)));
    const request = {
      ...{ requestId: 'r1', toolName, rawBlock, args, warnings: [], span: { start: 0, end: 0 }, argumentSpans: {} },
      ...(invalid === undefined ? {} : { invalid }),
    };
    const index = this.index++;
    return { type: 'request', index, request };
  }
}
