// Replies of the scripted model that depend on what the tools gave.
import type { ModelRequest, Script } from './model-server.ts';

const ID = /\d{14}-[0-9a-z]{7}/;

/** Text of the last tool message: what the model has just read. */
export function lastToolText(request: ModelRequest): string {
  return [...request.messages].reverse().find((message) => message.role === 'tool')?.content ?? '';
}

/** First block id in what the model has just read. */
function firstId(request: ModelRequest): string {
  const id = ID.exec(lastToolText(request))?.[0];
  if (!id) throw new Error(`no block id in: ${lastToolText(request).slice(0, 300)}`);
  return id;
}

/** Search, read the first match, append to today's note, answer with a citation: the main job in four replies. */
export function summaryIntoToday(topic: string, markdown: string): Script[] {
  let cited = '';
  return [
    { text: 'I will look.', calls: [{ name: 'search_notes', args: { query: topic } }] },
    (request) => {
      cited = firstId(request);
      return { calls: [{ name: 'read_doc', args: { id: cited } }] };
    },
    { calls: [{ name: 'daily_note', args: { op: 'append', notebook: 'Life', markdown } }] },
    () => ({ text: `Your notes say a lot about ${topic} ((${cited} "${topic}")). The summary is in today's note.` }),
  ];
}
