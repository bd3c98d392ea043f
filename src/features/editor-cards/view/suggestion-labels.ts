import type { KeptBack } from '../../../chat/ports/kept-back.ts';
import type { CustomPrompt } from '../../../chat/prompts/custom-prompts.ts';
import type { EditorAction } from '../../../chat/prompts/editor-actions.ts';
import type { EventError } from '../../../tools/contract/errors.ts';
import { own } from '../../../tools/plan-words/own.ts';
import { errorLabel } from '../../../ui/labels/error-labels.ts';
import { type Explanation, keptBackLabel } from '../../../ui/labels/kept-back-label.ts';
import type { MessageKey, Translate } from '../../../ui/ports/i18n.ts';
import type { EditorTaskView } from '../editor-task-types.ts';

const PHASES: Readonly<Record<EditorTaskView['phase'], MessageKey>> = {
  reading: 'suggestion.reading',
  answering: 'suggestion.answering',
  planning: 'suggestion.planning',
  writing: 'suggestion.writing',
  undoing: 'suggestion.undoing',
  redoing: 'suggestion.redoing',
};

export const phaseLabel = (phase: EditorTaskView['phase'], t: Translate): string => t(PHASES[phase]);

const NOTES: Readonly<Record<NonNullable<EditorTaskView['note']>, MessageKey>> = {
  'below-unsafe': 'suggestion.belowUnsafe',
  'document-cut': 'suggestion.documentCut',
  unchanged: 'suggestion.unchanged',
};

export const noteLabel = (note: NonNullable<EditorTaskView['note']>, t: Translate): string => t(NOTES[note]);

/** The next step, if the chat's sentence does not fit a card. */
const NEXT: Readonly<Record<string, MessageKey>> = {
  model_missing: 'suggestion.next.model',
  model_not_found: 'suggestion.next.model',
  model_context_overflow: 'suggestion.next.shorter',
  stale: 'suggestion.next.again',
  raced: 'suggestion.next.look',
  outcome_unknown: 'suggestion.next.look',
  closed_notebook: 'suggestion.next.notebook',
  not_found: 'suggestion.next.gone',
  encrypted_notebook: 'suggestion.next.other',
  empty_text: 'suggestion.next.text',
  too_large: 'suggestion.next.blocks',
  tool_disabled: 'suggestion.next.tools',
  not_approved: 'suggestion.next.again',
  read_only: 'suggestion.next.readOnly',
};

const WHAT: Readonly<Record<string, MessageKey>> = {
  tool_disabled: 'suggestion.toolOff',
  empty_text: 'suggestion.noText',
  too_large: 'suggestion.tooLarge',
  not_approved: 'suggestion.typing',
  stale: 'suggestion.stale',
  not_found: 'suggestion.gone',
};

/** A failure for a card: what happened, and the next step. */
export function suggestionError(error: EventError, t: Translate, keptBack?: KeptBack): Explanation {
  if (keptBack) return keptBackLabel(keptBack, t);
  const chat = errorLabel(error, t);
  const what = own(WHAT, error.code);
  const next = own(NEXT, error.code);
  return {
    what: what ? t(what) : chat.what,
    next: next ? t(next) : chat.next,
  };
}

/** The title of a card and its chat. */
export const actionName = (action: EditorAction | CustomPrompt, t: Translate): string =>
  typeof action === 'string' ? t(`suggestion.do.${action}`) : action.name;

/** The action as a question in the saved chat. */
export function actionQuestion(action: EditorAction | CustomPrompt, language: string, t: Translate): string {
  if (typeof action !== 'string') return action.prompt;
  const known: Readonly<Record<string, MessageKey>> = { English: 'suggestion.english', [t('language.chinese')]: 'suggestion.chinese' };
  const key = own(known, language);
  return t(`suggestion.ask.${action}`, { language: key ? t(key) : language });
}
