import type { Refusal } from './formulas.ts';
import { holdsReference, normaliseText } from './normal-text.ts';

/** Kinds of mermaid with text, boxes and lines only; others load icons, allow links or have renderers of their own. */
const KINDS =
  /^(?:graph|flowchart|sequenceDiagram|classDiagram|stateDiagram|erDiagram|gantt|pie|mindmap|timeline|gitGraph|journey|quadrantChart|xychart|requirementDiagram|sankey|kanban|packet|radar|treemap|block)(?:-(?:v2|beta|elk))?\b/;
/** Stereotypes of class and state diagrams; as an HTML element none of these words has a meaning. */
const STEREOTYPE =
  /<<\s*(?:interface|abstract|enumeration|enum|service|entity|record|struct|trait|singleton|exception|protocol|choice|fork|join)\s*>>/gi;
const LINE_BREAK = /<br\s*\/?>/gi;
const MARKUP = /<[a-z/!?]/i;
/** Links, code, settings and pictures. `@{` sets properties of a node, `$$` draws a formula, `#…;` is mermaid's own character reference. */
const COMMANDS =
  /\b(?:click|callback|href)\b|\b(?:javascript|vbscript|data)\s*:|%%\s*\{|^\s*---\s*$|@\s*\{|\/\/|#\w+;|\$\$|\b(?:url|image|image-set|src|cross-fade)\s*\(|@\s*import/im;
/** A link of a class (`link Name "address"`), and links, pictures and attributes of a participant (`links Name: {…}`). */
const LINKED = /(?:^|;)\s*(?:links?|properties|details)\s+(?:[^\n:]+:|\S+\s+")/im;
/** `
` breaks a line of a label; any other escape hides what it spells. */
const ESCAPE = /\\(?!n)/;
const STYLE_LINE = /^\s*(?:style|classDef|linkStyle|cssClass|class)\s.*$/gim;
const PLAIN_STYLE = /^[\w\s#%.,:;()-]*$/;
const CLASS_BODY = /[{}<>"'~+*$]/;
const ICON = /::icon\(([^)\n]*)\)?/g;

const refused = (what: string): Refusal => ({ what, instead: 'write the diagram with plain labels only' });

/** A line that sets styles contains names, colours and lengths. A class of a class diagram begins with the same word and has none. */
const isPlainStyle = (line: string): boolean =>
  PLAIN_STYLE.test(line) || (/^\s*class\s/i.test(line) && CLASS_BODY.test(line) && !/[:;=]/.test(line));

/** Refuses what SiYuan's mermaid must not get: it runs without its own security, and shows its error messages as HTML. */
export function refuseMermaid(content: string): Refusal | undefined {
  if (holdsReference(content)) return refused('this mermaid diagram contains character references');
  const bare = normaliseText(content).replace(LINE_BREAK, ' ').replace(STEREOTYPE, ' ');
  const uncommented = bare.replace(/^\s*%%(?!\s*\{).*$/gm, '');
  if (MARKUP.test(bare) || MARKUP.test(uncommented) || COMMANDS.test(bare) || LINKED.test(bare))
    return refused('this mermaid diagram contains HTML, links or directives');
  if (ESCAPE.test(bare)) return refused('this mermaid diagram contains a backslash');
  if ((bare.match(STYLE_LINE) ?? []).some((line) => !isPlainStyle(line))) return refused('a style of this mermaid diagram is not plain');
  if ([...bare.matchAll(ICON)].some(([, icon]) => !/^[\w\s:-]*$/.test(icon ?? '')))
    return refused('an icon of this mermaid diagram is not plain');
  if (!KINDS.test(uncommented.trimStart())) {
    return { what: 'this kind of mermaid diagram cannot be written by tools', instead: 'use a flowchart, a sequence diagram or a table' };
  }
  return undefined;
}

/** Code fences that SiYuan renders by running or sending their content. */
const RUN_LANGUAGES: ReadonlySet<string> = new Set(['echarts', 'abc', 'plantuml', 'flowchart', 'graphviz', 'mindmap']);

/** The name of a code's language, as SiYuan may read it. */
const languageName = (language: string): string => normaliseText(language).trim().toLowerCase();

/** `drawn`: SiYuan shows it as a picture instead of code. */
export function refuseCode(language: string, content: string, drawn: boolean): Refusal | undefined {
  const name = languageName(language);
  if (name === 'mermaid') return refuseMermaid(content);
  if (RUN_LANGUAGES.has(name) || drawn) {
    return {
      what: `SiYuan runs ${name} blocks as code or sends them to a server`,
      instead: 'use a table, a mermaid diagram, or a ```text fence',
    };
  }
  return undefined;
}
