import type { CustomPrompt } from '../../chat/prompts/custom-prompts.ts';
import { DATABASE_ACTION_NAMES } from '../../chat/prompts/editor-actions.ts';
import { fillPrompt, variablesIn } from '../../chat/prompts/prompt-variables.ts';
import { mentionFor } from '../../chat/session/mentions.ts';
import { frameName } from '../../tools/util/markers.ts';
import type { PickItem } from '../controls/pick-item.ts';
import { CONTEXT_ICONS } from '../labels/attached-labels.ts';
import type { ContextChoice, ContextGroup } from '../ports/context-choice.ts';
import type { MessageKey } from '../ports/i18n.ts';
import { isSwitchedOff, needGroup } from '../ports/need-group.ts';
import type { PanelContext } from '../state/context.ts';
import { NO_FEATURES } from '../state/features.ts';
import { nearestNames, placeNames } from '../text/place-names.ts';
import { addChoice } from './add-choice.ts';
import type { PickToken } from './pick-token.ts';

const GROUPS: Readonly<Record<ContextGroup, MessageKey>> = {
  here: 'pick.here',
  related: 'related.of',
  documents: 'pick.documents',
  blocks: 'pick.blocks',
  notebooks: 'pick.notebooks',
  tags: 'pick.tags',
  searches: 'pick.searches',
};

/** With the day, or the very time, at which SiYuan made the note or block: its id begins with it. */
function withDate(place: string, id = '', upTo: 'day' | 'second'): string {
  const [, year, month, day, hour, minute, second] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)-/.exec(id) ?? [];
  if (year === undefined) return place;
  const time = `${year}-${month}-${day}${upTo === 'day' ? '' : ` ${hour}:${minute}:${second}`}`;
  return place === '' ? time : `${place} · ${time}`;
}

/** The place of each: the end of a note's path, all of it if two would look alike, with the day of its creation if they still do. */
function notePaths(choices: readonly ContextChoice[]): readonly string[] {
  const names = choices.map(({ group, title, place }) =>
    group === 'documents' ? placeNames({ title, path: place, notebook: '' }) : [place],
  );
  const short = names.map((each) => nearestNames(each).join(' › '));
  const isAlike = (places: readonly string[], at: number): boolean =>
    choices.some(({ title }, other) => other !== at && title === choices[at]?.title && places[other] === places[at]);
  const whole = names.map((each, at) => (isAlike(short, at) ? each.join(' › ') : (short[at] ?? '')));
  const dated = whole.map((place, at) => (isAlike(whole, at) ? withDate(place, choices[at]?.id, 'day') : place));
  return dated.map((place, at) => (isAlike(dated, at) ? withDate(whole[at] ?? '', choices[at]?.id, 'second') : place));
}

function contextItems(choices: readonly ContextChoice[], context: PanelContext): readonly PickItem[] {
  const { t, panel, chat } = context;
  const places = notePaths(choices);
  const items = choices.map((choice, at): PickItem => {
    const title = choice.title || t('chat.untitled');
    const others = chat.view.contexts.filter(({ kind, id }) => kind !== choice.kind || id !== choice.id);
    const words = mentionFor(title, places[at]?.split(' › ').at(-1) ?? '', others);
    return {
      key: `${choice.group}:${choice.kind}:${choice.id}`,
      group: t(GROUPS[choice.group], { title: choice.relatedTo ?? '' }),
      icon: CONTEXT_ICONS[choice.kind] ?? 'iconFile',
      title,
      place: places[at] ?? '',
      words,
      picked: () => panel.run(addChoice(choice, context, words)),
    };
  });
  const last = choices.findLastIndex(({ group }) => group === 'related');
  const all = {
    key: 'related',
    icon: 'iconMarginaliaRelated',
    title: t('pick.allRelated'),
    place: '',
    picked: () => panel.open('related'),
  } as const;
  return items.flatMap((item, at) => (at === last ? [item, { ...all, group: item.group }] : [item]));
}

const keyOf = ({ kind, id }: ContextChoice): string => `${kind}:${id}`;

/** What can be picked; notes related to the open one are added when they are found, after the open items, and not repeated. */
export async function* findItems({ kind, words, goesOn }: PickToken, context: PanelContext): AsyncGenerator<readonly PickItem[], void> {
  const { host, features = NO_FEATURES } = context;
  await features.load().catch(() => undefined);
  if (kind === 'prompt') {
    yield* features.withPicks(promptItems(words, context), { kind, words }, context);
    return;
  }
  const found = await host.findContexts(words, goesOn);
  const first = contextItems(found, context);
  yield first;
  const related = words === '' ? await host.relatedContexts() : [];
  const here = found.filter(({ group }) => group === 'here');
  const isHere = new Set(here.map(keyOf));
  const near = related.filter((choice) => !isHere.has(keyOf(choice)));
  const isNear = new Set(near.map(keyOf));
  const others = found.filter((choice) => choice.group !== 'here' && !isNear.has(keyOf(choice)));
  const all = related.length === 0 ? first : contextItems([...here, ...near, ...others], context);
  if (all !== first) yield all;
  yield* features.withPicks(all, { kind, words }, context);
}

/** Built-in prompts; their texts are in the user's language. */
const BUILT_IN = ['summarize', 'explain', 'improve', 'translate', 'todo', 'cards', ...DATABASE_ACTION_NAMES] as const;

/** Groups of tools without which a prompt is of no use: it is not offered where the person switched them off. */
const NEEDS: Readonly<Record<string, string>> = {
  cards: 'flashcards',
  ...Object.fromEntries(DATABASE_ACTION_NAMES.map((action) => [action, 'databases'])),
};

type OfferedPrompt = Pick<CustomPrompt, 'id' | 'name' | 'prompt'> & { readonly needs?: string | undefined };

function builtIn({ t, settings }: PanelContext): readonly OfferedPrompt[] {
  const all = BUILT_IN.map((id) => ({ id, name: t(`prompts.${id}`), prompt: t(`prompts.${id}.text`), needs: NEEDS[id] }));
  return all.filter(({ needs }) => needs === undefined || !isSwitchedOff(settings, needs));
}

/** The prompt with its values, and a gap for a missing or typed one. Its subject is attached as a context. */
async function filled(prompt: string, context: PanelContext): Promise<string> {
  const { host } = context;
  const names = variablesIn(prompt);
  const here = names.includes('selection') || names.includes('note') ? await host.findContexts('') : [];
  const attach = async (choice: ContextChoice | undefined): Promise<string> => {
    if (!choice) return '…';
    await addChoice(choice, context);
    // It becomes text of the question: a title must not become a reference to a variable.
    return `“${frameName(choice.title)}”`;
  };
  const values: Partial<Record<(typeof names)[number], string>> = { input: '…' };
  for (const name of names) {
    if (name === 'selection') values.selection = await attach(here.find(({ kind }) => kind === 'selection'));
    else if (name === 'note') values.note = await attach(await host.openNote());
    else if (name === 'clipboard') values.clipboard = (await host.readClipboard()).trim() || '…';
    else if (name === 'date') values.date = new Date().toLocaleDateString('sv');
  }
  return fillPrompt(prompt, values);
}

/** Prompts of the user and built-in ones whose name contains the words. */
function promptItems(words: string, context: PanelContext): readonly PickItem[] {
  const { t, panel, options, settings } = context;
  const use = async ({ prompt, needs }: OfferedPrompt): Promise<void> => {
    if (needs !== undefined) await needGroup(settings, needs);
    await panel.begin(await filled(prompt, context));
  };
  const items = (group: string, prompts: readonly OfferedPrompt[]): readonly PickItem[] =>
    prompts
      .filter(({ id, name }) => `${name} ${id}`.toLowerCase().includes(words.toLowerCase()))
      .map((offered) => ({
        ...{
          key: `${group}:${offered.id}`,
          group,
          icon: 'iconMarginaliaAsk' as const,
          title: offered.name,
          place: offered.prompt.replaceAll(/\{\{\w+\}\}|\s+/g, (part) => (part.startsWith('{') ? '…' : ' ')).slice(0, 80),
        },
        picked: () => panel.run(use(offered)),
      }));
  return [...items(t('pick.ownPrompts'), options.settings.prompts), ...items(t('pick.prompts'), builtIn(context))];
}
