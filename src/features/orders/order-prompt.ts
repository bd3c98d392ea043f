import { frameName, frameUntrusted } from '../../tools/util/markers.ts';
import type { Order } from './order.ts';
import type { Happening } from './order-files.ts';
import type { RunRequest } from './order-runner.ts';

/** Local time, YYYY-MM-DD HH:MM, as Swedes write it. */
const stamp = (milliseconds: number): string => new Date(milliseconds).toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });

/** The title of a run's chat: the order's name and when it ran. */
export const titleOfRun = ({ order, run }: Pick<RunRequest, 'order' | 'run'>): string => `${order.name} · ${stamp(run.started)}`;

const HOW = { made: 'new', moved: 'moved here', changed: 'changed', date: 'its date has come' } as const;

/** What an order runs for, as content: titles are words of notes. */
function happened({ schedule, place }: Order, events: readonly Happening[], titles: ReadonlyMap<string, string>): string {
  const event = schedule?.kind === 'event' ? schedule : undefined;
  const isOfRows = event !== undefined && event.of !== 'notes';
  const name = frameName(event?.target.name ?? '', 80).replaceAll(/["“”()]/gu, ' ');
  const where = isOfRows ? `rows of the database ((${place} "${name}"))` : `notes below ${place} “${name}”`;
  const lines = events.flatMap(({ id, how }) =>
    titles.has(id) ? [`- ${isOfRows ? `row ${id}` : `[${id}]`} “${frameName(titles.get(id) ?? '', 200)}”: ${HOW[how]}`] : [],
  );
  return `It is about these ${where} alone:\n${frameUntrusted('events', lines.join('\n'))}`;
}

/** The question of a run: the order in the person's words, and what is different while nobody is there. */
export function questionOfRun(
  { order, run, declined }: Pick<RunRequest, 'order' | 'run' | 'declined'>,
  titles: ReadonlyMap<string, string> = new Map(),
): string {
  const parts = [
    `Standing order “${order.name}” (${order.when}), ${stamp(run.started)}. Nobody is here: do not ask. Every change that you make is kept as a proposal for the person to approve later; nothing is written now.`,
    order.text,
  ];
  if (run.note !== undefined) parts.push(`It is about the note ((${run.note})), which just got the tag.`);
  if (order.schedule?.kind === 'event') parts.push(happened(order, run.events ?? [], titles));
  if (declined.length > 0)
    parts.push(
      `The person declined these for good; do not propose them again:\n${frameUntrusted('declined', declined.map((each) => `- ${frameName(each, 200)}`).join('\n'))}`,
    );
  return parts.join('\n\n');
}
