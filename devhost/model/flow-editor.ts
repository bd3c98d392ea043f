import { type AttachedNote, attachedNotes } from './conversation.ts';
import { outlineSentences, plainText, sentencesOf } from './extract.ts';
import { languageOf } from './intents.ts';
import type { Unit } from './tool-results.ts';
import type { Language } from './types.ts';

/** What an editor task asks for; its name is in the system prompt. */
interface EditorTask {
  readonly name: string;
  readonly notes: readonly AttachedNote[];
  readonly parts: number;
}

const PART_BREAK = '\n\n=====\n\n';

/** Reads a task of the editor from a request: the `Editor task:` line of the system prompt, and the notes of the question. */
export function readEditorTask(systemPrompt: string, question: string): EditorTask | null {
  const name = /^Editor task: ([a-z]+)$/m.exec(systemPrompt)?.[1];
  if (name === undefined) return null;
  const parts = Number(/^(\d+) notes are attached\b/m.exec(systemPrompt)?.[1] ?? 1);
  return { name, notes: attachedNotes(question), parts };
}

const unit = (note: AttachedNote): Unit => ({ id: note.id, type: 'p', markdown: note.text, title: note.title });

/** Blocks of a note by their blank lines, so that its headings begin sections. */
const units = (note: AttachedNote): Unit[] =>
  note.text.split(/\n{2,}/).map((markdown) => ({ ...unit(note), markdown, type: /^#{1,6} /.test(markdown) ? 'h' : 'p' }));

const sentences = (note: AttachedNote): string[] => units(note).flatMap(sentencesOf);

const FILLERS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:very|really|quite|just|basically|actually) /gi, ''],
  [/\bin order to\b/gi, 'to'],
  [/\bdue to the fact that\b/gi, 'because'],
  [/\bat this point in time\b/gi, 'now'],
  [/(?:其实|基本上|非常|真的|就是说)/gu, ''],
  [/; /g, '. '],
  [/；/g, '。'],
];

const capital = (text: string): string =>
  text.replace(/(^|[.!?] )(\p{Ll})/gu, (_whole, before: string, letter: string) => before + letter.toUpperCase());

/** Drops filler words and breaks sentences at semicolons; where there is nothing to drop, sets the first words off. */
function rewritten(markdown: string): string {
  const [, marker = '', body = ''] = /^((?:#{1,6}|[-*+]|\d+[.)]) (?:\[.\] )?)?([\s\S]*)$/.exec(markdown) ?? [];
  const shorter = capital(FILLERS.reduce((text, [pattern, by]) => text.replace(pattern, by), body));
  if (shorter !== body) return marker + shorter;
  const words = /^[^\s*_`#>([!{|]+(?: [^\s*_`#>([!{|]+)?/u.exec(body)?.[0] ?? '';
  return words === '' || words === body ? markdown : `${marker}**${words}**${body.slice(words.length)}`;
}

function bullets(note: AttachedNote, limit: number): string {
  const chosen = outlineSentences(units(note), limit).map((sentence) => sentence.text);
  return (chosen.length > 0 ? chosen : [plainText(note.text)]).map((text) => `- ${text}`).join('\n');
}

function tasks(note: AttachedNote): string {
  const found = sentences(note);
  return (found.length > 0 ? found : [plainText(note.text)]).map((text) => `- [ ] ${text.replace(/[.。]$/u, '')}`).join('\n');
}

/** Its words of a sentence left out, for want of understanding. */
function cards(note: AttachedNote): string {
  const asked = languageOf(note.text) === 'zh' ? '这句话怎么接下去：' : 'How does this go on: ';
  return sentences(note)
    .slice(0, 4)
    .map((text) => {
      const cut = Math.ceil(text.length / 2);
      const at = text.indexOf(' ', cut) < 0 ? cut : text.indexOf(' ', cut);
      return `Q: ${asked}${text.slice(0, at)}…\nA: …${text.slice(at).trim()}`;
    })
    .join('\n\n');
}

function continued(notes: readonly AttachedNote[], language: Language): string {
  const all = notes.flatMap(sentences);
  const last = all.at(-1) ?? notes.at(-1)?.title ?? '';
  const earlier = outlineSentences(notes.flatMap(units), 3).find((sentence) => sentence.text !== last)?.text;
  if (language === 'zh') return `接着“${last}”往下说${earlier ? `：前面还写到，${earlier}` : '。'}`;
  return `To go on from “${last}”${earlier ? `: it was also said that ${earlier.charAt(0).toLowerCase()}${earlier.slice(1)}` : '.'}`;
}

function explained(note: AttachedNote, language: Language): string {
  const all = sentences(note);
  const main = outlineSentences(units(note), 1)[0]?.text ?? plainText(note.text);
  const terms = [...new Set(note.text.match(/\b\p{Lu}[\p{L}\d]+(?: \p{Lu}[\p{L}\d]+)*/gu) ?? [])].slice(1, 6);
  const [count, named] =
    language === 'zh'
      ? [`这段内容有 ${all.length} 句。主要的一句是：`, terms.length > 0 ? `提到的名称：${terms.join('、')}。` : '']
      : [
          `This text has ${all.length} ${all.length === 1 ? 'sentence' : 'sentences'}. Its main one:`,
          terms.length > 0 ? `Names in it: ${terms.join(', ')}.` : '',
        ];
  return [count, `> ${main}`, named].filter((part) => part !== '').join('\n\n');
}

/** The demo knows no other language and says so in the text itself. */
const untranslated = (markdown: string): string =>
  languageOf(markdown) === 'zh' ? `(Offline demo, not translated) ${markdown}` : `（离线演示，未翻译）${markdown}`;

/**
 * Answers a task of the editor by rules, from the attached text alone. Without the note that no language model wrote it, since
 * the answer goes into a note of the user's: the card says so.
 */
export function answerEditorTask({ name, notes, parts }: EditorTask): string {
  const last = notes.at(-1);
  if (!last) return '';
  const language = languageOf(last.text);
  const each = (change: (text: string) => string): string =>
    notes
      .slice(-parts)
      .map((note) => change(note.text))
      .join(PART_BREAK);
  switch (name) {
    case 'summarize':
      return bullets(last, 4);
    case 'continue':
      return continued(notes, language);
    case 'rewrite':
      return each(rewritten);
    case 'translate':
      return each(untranslated);
    case 'todo':
      return tasks(last);
    case 'cards':
      return cards(last);
    case 'explain':
      return explained(last, language);
    default:
      return parts > 1 ? each(rewritten) : bullets(last, 3);
  }
}
