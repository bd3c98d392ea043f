import { isRead } from './contexts.ts';
import { quoted, summaryOf } from './summary.ts';
import { threadOf } from './thread.ts';
import { TreeShape } from './tree-shape.ts';
import type { Node, Session } from './types.ts';
import { closeFence, visibleText } from './visible-text.ts';

interface MarkdownWords {
  readonly user: string;
  readonly assistant: string;
  readonly attached: string;
  readonly summary: string;
  readonly branch: string;
}

export interface MarkdownOptions {
  readonly branches: 'shown' | 'all';
  readonly words: MarkdownWords;
  /** Milliseconds since the epoch, in the reader's time zone and language. */
  readonly formatTime: (time: number) => string;
}

const inline = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

/** A heading inside an answer must not look like one of ours: ours have level 2, so theirs start at level 3. */
function demoteHeadings(text: string): string {
  let fence = '';
  return text
    .split('\n')
    .map((line) => {
      const [, mark = ''] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
      if (mark !== '' && fence === '') fence = mark;
      else if (mark.startsWith(fence) && fence !== '' && line.trim() === mark) fence = '';
      else if (fence === '') return line.replace(/^( {0,3})(#{1,6})(?=\s)/, (_all, space, level) => `${space}${`##${level}`.slice(0, 6)}`);
      return line;
    })
    .join('\n');
}

function message(node: Node, { words, formatTime }: MarkdownOptions): readonly string[] {
  const payload = node.versions[node.currentVersionId];
  const summary = summaryOf(node);
  if (summary) return ['---', quoted(`**${words.summary}** (${inline(summary.author)})\n\n${demoteHeadings(summary.message.content)}`)];
  if (node.role === 'separator') return ['---'];
  if (!payload) return [];
  const speaker = node.role === 'user' ? words.user : `${words.assistant} (${inline(payload.author)})`;
  const titles = [...(node.context ?? []).filter(isRead).map(({ title }) => title), ...(node.attachments ?? []).map(({ name }) => name)];
  const attached = titles.map(inline).join(', ');
  return [
    `## ${speaker} · ${formatTime(payload.created)}`,
    ...(attached ? [`*${words.attached}: ${attached}*`] : []),
    closeFence(demoteHeadings(visibleText(payload))),
    ...(payload.error ? [`> ${inline(payload.error.message)}`] : []),
  ];
}

/** The other branches from their first message on, each after the message that it forks from, forks of forks behind them. */
function otherBranches(session: Session, shown: ReadonlySet<string>, options: MarkdownOptions): readonly string[] {
  const nodes = new Map(Object.entries(session.nodes));
  const shape = new TreeShape(nodes);
  const exported = new Set(shown);
  const parts: string[] = [];
  const waiting: (string | null)[] = [null, ...shown];
  for (let at = waiting.shift(); at !== undefined; at = waiting.shift()) {
    for (const first of shape.after(at)) {
      if (exported.has(first)) continue;
      const leaf = shape.endOf(first, new Map(Object.entries(session.choices ?? {})));
      const branch = threadOf(session, leaf).filter((node) => !exported.has(node.id));
      const said = at === null ? undefined : nodes.get(at)?.versions[nodes.get(at)?.currentVersionId ?? ''];
      parts.push('---', `# ${options.words.branch}${said ? `: ${inline(visibleText(said)).slice(0, 80)}` : ''}`);
      for (const node of branch) {
        exported.add(node.id);
        waiting.push(node.id);
        parts.push(...message(node, options));
      }
    }
  }
  return parts;
}

/** A chat as readable text, without tool calls, for which there is the JSON export. */
export function exportMarkdown(session: Session, options: MarkdownOptions): string {
  const thread = threadOf(session, session.leafId);
  const others = options.branches === 'all' ? otherBranches(session, new Set(thread.map((node) => node.id)), options) : [];
  const title = inline(session.title);
  return `${[...(title ? [`# ${title}`] : []), ...thread.flatMap((node) => message(node, options)), ...others].join('\n\n')}\n`;
}
