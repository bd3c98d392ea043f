import { areAlike } from '../../tools/equal-text/equal-text.ts';
import type { NamedProject } from './chat-project.ts';
import type { NewChat } from './types.ts';

/** The one of an id or a name; undefined if there is none, or more than one. */
export function projectNamed(list: readonly NamedProject[], wanted: string): NamedProject | undefined {
  const named = list.filter(({ name }) => areAlike(name, wanted));
  return list.find(({ id }) => id === wanted) ?? (named.length === 1 ? named[0] : undefined);
}

/** Its name is a tag of the chat, by which the list of chats finds it. */
export const newChatOf = ({ id, name, model }: NamedProject): NewChat => ({
  ...{ project: id, tags: name === '' ? [] : [name] },
  ...(model ? { model } : {}),
});
