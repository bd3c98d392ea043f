// A separate file in the built plugin: no request carries these texts until a model reads one.
export { CARDS_RULE } from './cards-rule.ts';
export { DATABASES_RULE } from './databases-rule.ts';
export { KRAMDOWN_RULE } from './kramdown-rule.ts';
export { SQL_RULE } from './sql-rule.ts';
