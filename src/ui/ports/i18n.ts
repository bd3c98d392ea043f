export { createTranslate, fillText, type MessageKey, type Translate, type Variables } from '../../tools/plan-words/i18n.ts';
