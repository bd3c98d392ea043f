// What the model answers to a random user: by a seed, whatever is asked, from words and tool calls to every kind of failure.
import type { Random } from '../../bench/random.ts';
import type { ModelRequest, ModelServer, ScriptedCall, ScriptedReply } from '../support/model-server.ts';
import { lastToolText } from '../support/scripts.ts';

const ID = /\d{14}-[0-9a-z]{7}/g;

const TEXTS = [
  'Yes.',
  'Your notes say **two** things:\n\n1. one\n2. another\n\n> and a quotation',
  'A table:\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nand code:\n\n```js\nlet a = 1;\n```\n\n```py\nprint(1)\n```',
  'A formula $a^2 + b^2$, and\n\n$$\n\\frac{1}{2}\n$$',
  '中文的回答，带有**重点**和`代码`。',
  '# Heading\n\nText with <b>HTML</b>, a [link](https://example.org), ![picture](http://127.0.0.1:9/p.png) and $VAR_REF{{nothing}}.',
  'Long. '.repeat(400),
  '',
  '- [ ] one\n- [x] two\n  - nested\n\n---\n\n👩‍👩‍👧‍👦 done',
];

const FAILURES: readonly ScriptedReply[] = [
  { status: 401, body: '{"error":{"message":"Incorrect API key provided","code":"invalid_api_key"}}' },
  { status: 404, body: '{"error":{"message":"The model `scripted` does not exist","code":"model_not_found"}}' },
  { status: 429, body: '{"error":{"message":"Rate limit reached","code":"rate_limit_exceeded"}}' },
  { status: 500, body: 'upstream is gone' },
  { status: 400, body: '{"error":{"message":"maximum context length is 8192 tokens","code":"context_length_exceeded"}}' },
  { raw: '<html>welcome to the hotel wifi</html>', contentType: 'text/html' },
  { raw: 'data: {"choices":[{"delta":{"content":"half' },
  { raw: 'data: [DONE]\n\n' },
];

interface Held {
  readonly until: number;
  readonly release: () => void;
}

export class ScriptedTalk {
  /** Requests that wait for `release`. */
  private held: Held[] = [];
  private step = 0;
  private readonly random: Random;
  private readonly documents: readonly string[];

  constructor(server: ModelServer, random: Random, documents: readonly string[]) {
    this.random = random;
    this.documents = documents;
    server.otherwise((request) => this.reply(request));
  }

  get waiting(): number {
    return this.held.length;
  }

  /** The next step of the user begins: what was held long enough goes on. */
  next(): void {
    this.step++;
    for (const { release } of this.held.filter(({ until }) => until <= this.step)) release();
    this.held = this.held.filter(({ until }) => until > this.step);
  }

  releaseAll(): void {
    for (const { release } of this.held.splice(0)) release();
  }

  private hold(): Promise<void> {
    const until = this.step + 1 + this.random.below(4);
    return new Promise((release) => this.held.push({ until, release }));
  }

  private reply(request: ModelRequest): ScriptedReply {
    const { random } = this;
    // Asked to speak or to write down: this server has chats alone.
    if (!Array.isArray(request.messages)) return { status: 404, body: '{"error":{"message":"Invalid URL"}}' };
    const last = request.messages.findLastIndex(({ role }) => role === 'user');
    const rounds = request.messages.slice(last).filter(({ role }) => role === 'assistant').length;
    const dice = random.next();
    if (dice < 0.1) return random.pick(FAILURES) ?? { text: '' };
    if (dice < 0.13) return { cutAfter: 'It begins well and ', hold: this.hold() };
    const hold = random.next() < 0.25 ? { hold: this.hold() } : {};
    const reasoning = random.next() < 0.2 ? { reasoning: 'Let me think about what stands in the notes.' } : {};
    const text = random.pick(TEXTS) ?? '';
    const ids = this.idsIn(request);
    if (!request.tools?.length || rounds > 3 || dice < 0.45) {
      const cited = ids.length > 0 && random.next() < 0.5 ? ` As it says ((${random.pick(ids) ?? ''} "here")).` : '';
      return { text: text + cited, ...reasoning, ...hold };
    }
    const count = random.next() < 0.3 ? 2 + random.below(3) : 1;
    const calls = Array.from({ length: count }, () => this.call(request, ids));
    return { calls, ...(random.next() < 0.4 ? { text } : {}), ...reasoning, ...hold };
  }

  private idsIn(request: ModelRequest): string[] {
    return [...new Set([...lastToolText(request).matchAll(ID)].map(([id]) => id))].slice(0, 40);
  }

  private call(request: ModelRequest, seen: readonly string[]): ScriptedCall {
    const { random } = this;
    const read = random.pick(this.documents) ?? '';
    const id = random.pick(seen) ?? read;
    const hash = new RegExp(`@@${id}@@\\w+#(\\w+)`).exec(lastToolText(request))?.[1] ?? 'unknown0';
    const number = random.below(1000);
    const markdown =
      random.pick([`Written ${number}.`, `- one ${number}\n- two`, `## Part ${number}\n\nText.`, '| a | b |\n| - | - |\n| 1 | 2 |']) ?? '';
    const some = random.pick<ScriptedCall>([
      { name: 'search_notes', args: { query: random.pick(['heat', 'soil', 'bread', '会议', 'xyzzy']) } },
      { name: 'read_doc', args: { id: read } },
      { name: 'read_doc', args: { id: read } },
      { name: 'read_docs', args: { items: [{ id: read }, { path: '/Nowhere' }] } },
      { name: 'list_docs', args: {} },
      { name: 'list_notebooks', args: {} },
      { name: 'read_block', args: { id } },
      { name: 'get_outline', args: { id: read } },
      { name: 'backlinks', args: { id: read } },
      { name: 'query_sql', args: { stmt: 'SELECT id, content FROM blocks LIMIT 5' } },
      { name: 'insert_blocks', args: { anchor: id, position: 'after', markdown } },
      { name: 'insert_blocks', args: { anchor: read, position: 'append', markdown } },
      { name: 'edit_block', args: { id, expectHash: hash, markdown } },
      { name: 'edit_block', args: { id, expectHash: hash, markdown } },
      { name: 'delete_blocks', args: { ids: [id] } },
      { name: 'move_blocks', args: { ids: [id], parent: read } },
      { name: 'rewrite_doc', args: { id: read, markdown: `# New ${number}\n\n${markdown}` } },
      { name: 'create_doc', args: { notebook: 'Research', path: `/Made ${number}`, markdown } },
      { name: 'organize_doc', args: { ids: [read], op: 'rename', target: `Renamed ${number}` } },
      { name: 'delete_doc', args: { ids: [read] } },
      { name: 'daily_note', args: { op: 'append', notebook: 'Life', markdown } },
      { name: 'attributes', args: { op: 'set', ids: [id], attrs: { 'custom-state': String(number) } } },
      { name: 'tags', args: { op: 'list' } },
      { name: 'export_doc', args: { id: read } },
      { name: 'ask_user', args: { question: 'Which one?', options: ['May', 'June', 'May'] } },
      { name: 'todo', args: { op: 'add', items: ['read', 'write'] } },
      { name: 'calculate', args: { expression: '6 * 7' } },
      { name: 'ReadVar', args: { name: 'nothing' } },
      { name: 'search_notes', args: '{"query": "half' },
      { name: 'no_such_tool', args: { __proto__: null, constructor: 1 } },
    ]);
    return some ?? { name: 'datetime', args: {} };
  }
}
