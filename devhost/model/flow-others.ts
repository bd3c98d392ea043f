import { citedList, joinParts } from './answers.ts';
import { extract, plainText, type Sentence, sentencesOf } from './extract.ts';
import { readSearch, readUnits, titleOf } from './tool-results.ts';
import { earlierTopic, exchangesOf, offers, type Step, type Turn } from './turn.ts';

export function stepListNotebooks(turn: Turn): Step {
  const { say } = turn;
  if (!offers(turn, 'list_notebooks')) return { text: say.missingTool('`list_notebooks`') };
  const listed = exchangesOf(turn, 'list_notebooks').at(-1);
  if (!listed) return { calls: [{ name: 'list_notebooks', args: {} }] };
  const lines = listed.result
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\d{14}-[0-9a-z]{7}/.test(line) && !line.includes('$VAR_REF'))
    .map((line) => `- ${line.replace(/^(?:[-*]|\d+\.)\s*/, '').replace(/\s*\[\d{14}-[0-9a-z]{7}\].*$/, '')}`);
  return { text: joinParts(say.notebooks, lines.length > 0 ? lines.join('\n') : listed.result.trim()) };
}

export function stepFind(turn: Turn, query: string): Step {
  const { say } = turn;
  if (!offers(turn, 'search_notes')) return { text: say.missingTool('`search_notes`') };
  const search = exchangesOf(turn, 'search_notes', (args) => args.query === query).at(-1);
  if (!search) return { calls: [{ name: 'search_notes', args: { query } }] };
  const { matches } = readSearch(search.result);
  if (matches.length === 0) return { text: say.nothing(query) };
  const shown = matches
    .slice(0, 10)
    .map((match) => ({ id: match.id, title: titleOf(match.path), text: plainText(match.snippet), score: 0 }));
  return { text: joinParts(say.matches(query, matches.length), citedList(shown)) };
}

/** The variable to read again: the last search, else the last document, else the last result that is not of a write. */
function pickVariable(names: readonly string[]): string | undefined {
  const readable = names.filter((name) => !/^(?:create_doc|insert_blocks|edit_block|ReadVar|ListVars)_/.test(name));
  const lastOf = (prefix: string) => readable.filter((name) => name.startsWith(prefix)).at(-1);
  return lastOf('search_notes_') ?? lastOf('read_doc_') ?? readable.at(-1);
}

/** Sentences of a text that were not shown yet, those about the topic first. */
function freshSentences(turn: Turn, text: string, topic: string): Sentence[] {
  const units = readUnits(text);
  const about = extract(units, topic, { total: 12, perDocument: 6 });
  const others = units.flatMap((unit) =>
    sentencesOf(unit).map((sentence) => ({ text: sentence, id: unit.id, title: unit.title, score: 0 })),
  );
  const all = [...about, ...others.filter((other) => about.every((known) => known.text !== other.text))];
  const shown = turn.conversation.earlierAnswers;
  const fresh = all.filter((sentence) => !shown.includes(`- ${sentence.text} ((`));
  return (fresh.length > 0 ? fresh : all).slice(0, 8);
}

/** "Show me more": reads a variable of an earlier turn with ReadVar and shows what was not shown. */
export function stepEarlier(turn: Turn, topic: string): Step {
  const { say } = turn;
  const name = pickVariable(turn.conversation.variables);
  if (name === undefined) return { text: say.noEarlier };
  if (!offers(turn, 'ReadVar')) return { text: say.missingTool('`ReadVar`') };
  const read = exchangesOf(turn, 'ReadVar', (args) => args.name === name).at(-1);
  if (!read) return { calls: [{ name: 'ReadVar', args: { name } }] };
  const sentences =
    topic === ''
      ? freshSentences(turn, read.result, earlierTopic(turn))
      : extract(readUnits(read.result), topic, { total: 8, perDocument: 4 });
  if (sentences.length > 0) return { text: joinParts(say.earlier(name), citedList(sentences)) };
  if (topic !== '') return { text: joinParts(say.earlier(name), say.nothing(topic)) };
  const lines = read.result.split('\n').filter((line) => line.trim() !== '');
  return {
    text: joinParts(
      say.earlier(name),
      lines
        .slice(0, 12)
        .map((line) => `> ${line}`)
        .join('\n'),
    ),
  };
}
