import { lazyPart } from '../../util/lazy.ts';

const load = lazyPart(() => import('./texts.ts'));

type Texts = typeof import('./texts.ts');

/** The text of a skill that comes with a group of tools, loaded when it is read. Rejects with `not_loaded`. */
export const skillText = (name: keyof Texts) => async (): Promise<string> => (await load())[name];
