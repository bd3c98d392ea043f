import { joinParts } from './answers.ts';
import { plainText } from './extract.ts';
import { readBlocks, titleOf, type Unit } from './tool-results.ts';
import { exchangesOf, offers, type Step, type Turn } from './turn.ts';

const ITEMS_AT_MOST = 6;

/** What an item is about: the words before its colon, else all of them. */
const topicOf = ({ markdown }: Unit): string => plainText(markdown).split(/[:：]/, 1)[0]?.trim() ?? '';

interface Place {
  readonly id: string;
  readonly title: string;
  readonly notebook: string;
}

/** Notes that the last search for it found, best first. */
function notesFound(turn: Turn, wanted: string): Place[] | undefined {
  const search = exchangesOf(turn, 'search_notes', ({ query }) => query === wanted).at(-1);
  const lines = search?.result.matchAll(/^\d+\. (.+) \[(\d{14}-[0-9a-z]{7})\] in (.+)$/gm);
  return lines && [...lines].map(([, path = '', id = '', notebook = '']) => ({ id, title: titleOf(path), notebook }));
}

/** The first other note whose title names the topic, or is named by it. Blocks stay in their notebook. */
function placeFor(turn: Turn, inbox: Place, topic: string): Place | undefined {
  const words = topic.toLowerCase();
  const isNamed = (title: string): boolean => title.includes(words) || words.includes(title);
  return notesFound(turn, topic)?.find(({ id, title, notebook }) => {
    return id !== inbox.id && notebook === inbox.notebook && isNamed(title.toLowerCase());
  });
}

/** search for the inbox → read it → search for each of its paragraphs → move each to the note that it names. */
export function stepSort(turn: Turn, name: string): Step {
  const { say } = turn;
  // A tool that is rarely needed may be offered by way of another.
  const mover = ['move_blocks', 'use_tool'].find((tool) => offers(turn, tool));
  const missing = ['search_notes', 'read_doc', ...(mover ? [] : ['move_blocks'])].filter((tool) => !offers(turn, tool));
  if (!mover || missing.length > 0) return { text: say.missingTool(missing.map((tool) => `\`${tool}\``).join(', ')) };
  const found = notesFound(turn, name);
  if (!found) return { calls: [{ name: 'search_notes', args: { query: name } }] };
  const inbox = found.find(({ title }) => title.toLowerCase() === name.toLowerCase());
  if (inbox === undefined) return { text: say.noDocument(name) };
  const read = exchangesOf(turn, 'read_doc', ({ id }) => id === inbox.id).at(-1);
  if (!read) return { calls: [{ name: 'read_doc', args: { id: inbox.id, showIds: true, tokens: 4000 } }] };
  const items = readBlocks(read.result, name)
    .filter(({ type }) => type === 'p')
    .slice(0, ITEMS_AT_MOST);
  if (items.length === 0) return { text: say.emptyDocument(name) };
  const topics = [...new Set(items.map(topicOf))].filter((topic) => !notesFound(turn, topic));
  if (topics.length > 0) return { calls: topics.map((query) => ({ name: 'search_notes', args: { query } })) };
  const sorted = items.map((item) => ({ item, place: placeFor(turn, inbox, topicOf(item)) }));
  const moves = sorted.flatMap(({ item, place }) => {
    const args = place && { ids: [item.id], parent: place.id };
    return args ? [{ name: mover, args: mover === 'use_tool' ? { tool: 'move_blocks', arguments: args } : args }] : [];
  });
  if (moves.length > 0 && exchangesOf(turn, 'move_blocks').length + exchangesOf(turn, 'use_tool').length === 0) return { calls: moves };
  const lines = sorted.map(({ item, place }) => `- ${plainText(item.markdown)} → ${place ? `**${place.title}**` : say.noPlace}`);
  return { text: joinParts(say.sorted(name), lines.join('\n')) };
}
