export { createTranslate, fillText, type MessageKey, type Translate } from '../../tools/plan-words/i18n.ts';
