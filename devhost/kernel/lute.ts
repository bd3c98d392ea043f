import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { runInThisContext } from 'node:vm';

/**
 * Real Lute, as `vditor` ships it (GopherJS). The public wrapper copies every result into plain objects, which a syntax tree with
 * parent pointers cannot survive; so we keep hold of the Go packages themselves and call the same functions that the kernel calls.
 * A Go string is a JS string of bytes: text goes in by `goText` and comes out by `jsText`.
 */
export interface GoSlice {
  readonly $array: ArrayLike<unknown>;
  readonly $offset: number;
  readonly $length: number;
}

export interface GoNode {
  [field: string]: unknown;
  Type: number;
  ID: string;
  Tokens: GoSlice;
  KramdownIAL: GoSlice;
  FirstChild: GoNode;
  Next: GoNode;
  AppendChild(child: GoNode): void;
  Content(): string;
  Stat(): [number, number, number, number, number];
}

export interface GoTree {
  Root: GoNode;
}

interface GoType<T> {
  new (...args: unknown[]): T;
  readonly nil: T;
}

/** A Go type; as a constructor it makes a slice over an array. */
export interface GoSliceType {
  new (array: ArrayLike<unknown>): GoSlice;
  readonly string: string;
  readonly elem: GoSliceType;
}

export interface GoField {
  readonly name: string;
  readonly tag: string;
  readonly typ: GoSliceType;
}

interface GoStruct<T> {
  readonly ptr: GoType<T>;
  readonly fields: readonly GoField[];
}

interface GoOptions {
  [option: string]: unknown;
}

interface GoRenderer {
  RendererFuncs: unknown;
  Render(): GoSlice;
}

interface GoEngine {
  readonly ParseOptions: GoOptions;
  readonly RenderOptions: GoOptions;
  BlockDOM2Tree(dom: string): GoTree;
  Md2BlockDOM(markdown: string, reserveEmptyParagraph: boolean): string;
  Tree2BlockDOM(tree: GoTree, options: GoOptions, parseOptions: GoOptions): string;
  RenderNodeBlockDOM(node: GoNode): string;
}

interface LutePackages {
  readonly 'github.com/88250/lute/ast': {
    readonly Node: GoStruct<GoNode>;
    readonly ListData: GoStruct<Record<string, unknown>>;
    readonly NodeType: new (value: number) => { String(): string };
    readonly Str2NodeType: (name: string) => number;
  };
  readonly 'github.com/88250/lute/parse': {
    /** Reads Markdown that is in one line: a document with one paragraph. */
    readonly Inline: (name: string, markdown: GoSlice, options: GoOptions) => GoTree;
  };
  readonly 'github.com/88250/lute/render': {
    readonly NewFormatRenderer: (tree: GoTree, options: GoOptions, parseOptions: GoOptions) => GoRenderer;
    readonly NewProtyleExportMdRenderer: (tree: GoTree, options: GoOptions, parseOptions: GoOptions) => GoRenderer;
    /** Is it the language of a diagram, which the page draws instead of highlighting it? */
    readonly NoHighlight: (language: string) => boolean;
  };
  readonly 'github.com/88250/lute/html': {
    readonly EscapeAttrVal: (text: string) => string;
    readonly UnescapeAttrVal: (text: string) => string;
    readonly EscapeHTMLStr: (text: string) => string;
    readonly UnescapeHTMLStr: (text: string) => string;
    readonly UnescapeString: (text: string) => string;
  };
}

interface LuteWrapper {
  readonly __internal_object__: GoEngine;
  [setter: `Set${string}`]: (value: boolean | string) => void;
}

/** Where the packages and the public wrapper stand once Lute has run; pages have a `Lute` of their own type, so no global is declared. */
const onGlobal = <T>(name: string): T | undefined => Reflect.get(globalThis, name) as T | undefined;

/** The options of the kernel's own engine (kernel/util/lute.go of 3.7.3). */
const KERNEL_OPTIONS: Readonly<Record<`Set${string}`, boolean | string>> = {
  SetTextMark: true,
  SetProtyleWYSIWYG: true,
  SetBlockRef: true,
  SetFileAnnotationRef: true,
  SetKramdownIAL: true,
  SetTag: true,
  SetSuperBlock: true,
  SetImgPathAllowSpace: true,
  SetGitConflict: true,
  SetInlineAsterisk: true,
  SetInlineUnderscore: true,
  SetSup: true,
  SetSub: true,
  SetInlineMath: true,
  SetGFMStrikethrough: true,
  SetMark: true,
  SetInlineMathAllowDigitAfterOpenMarker: true,
  SetGFMStrikethrough1: false,
  SetFootnotes: false,
  SetToC: false,
  SetIndentCodeBlock: false,
  SetParagraphBeginningSpace: true,
  SetAutoSpace: false,
  SetHeadingID: false,
  SetSetext: false,
  SetYamlFrontMatter: false,
  SetLinkRef: false,
  SetCodeSyntaxHighlight: false,
  SetSanitize: true,
  SetUnorderedListMarker: '-',
  SetCallout: true,
  SetDataTask: true,
  SetArbitraryTaskListItemMarker: true,
  SetExportNormalizeTaskListMarker: false,
  SetEnsureListItemParagraph: true,
};

function load(): LutePackages {
  const loaded = onGlobal<LutePackages>('__lutePackages');
  if (loaded) return loaded;
  const require = createRequire(import.meta.url);
  // GopherJS takes `require` from the global when it starts, and not after.
  const before = onGlobal<unknown>('require');
  Object.assign(globalThis, { require });
  const file = require.resolve('vditor/dist/js/lute/lute.min.js');
  const entry = 'var $mainPkg = ';
  const source = readFileSync(file, 'utf8');
  if (!source.includes(entry)) throw new Error(`lute_changed: ${file} has another shape → pin vditor to the version of package-lock.json`);
  runInThisContext(source.replace(entry, `globalThis.__lutePackages = $packages; ${entry}`), { filename: file });
  if (before === undefined) Reflect.deleteProperty(globalThis, 'require');
  const packages = onGlobal<LutePackages>('__lutePackages');
  if (!packages) throw new Error(`lute_changed: ${file} did not start`);
  return packages;
}

const packages = load();
export const goAst = packages['github.com/88250/lute/ast'];
export const goParse = packages['github.com/88250/lute/parse'];
export const goRender = packages['github.com/88250/lute/render'];
const goHtml = packages['github.com/88250/lute/html'];

export const goText = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
export const jsText = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');

/** An engine with the kernel's options, changed by `extra`. */
export function newEngine(extra: Readonly<Record<`Set${string}`, boolean | string>> = {}): GoEngine {
  const wrapper = onGlobal<{ New(): LuteWrapper }>('Lute')?.New();
  if (!wrapper) throw new Error('lute_changed: no global Lute');
  for (const [name, value] of Object.entries({ ...KERNEL_OPTIONS, ...extra })) {
    const set = wrapper[name as `Set${string}`];
    if (!set) throw new Error(`lute_changed: no option ${name}`);
    set.call(wrapper, value);
  }
  return wrapper.__internal_object__;
}

/** The engine of everything that only parses or renders blocks. */
export const engine = newEngine();

/** For Markdown that comes in by the API: `<u>`, `<kbd>`, … become marks. */
export const markdownEngine = newEngine({ SetHTMLTag2TextMark: true });

/** For `getBlockKramdown` with mode `md`: link addresses keep their spaces. */
export const kramdownEngine = newEngine({ SetPreventEncodeLinkSpace: true });

/** How values stand in an IAL and in a `.sy` file's Properties. */
export const escapeAttribute = (text: string): string => jsText(goHtml.EscapeAttrVal(goText(text)));
export const unescapeAttribute = (text: string): string => jsText(goHtml.UnescapeAttrVal(goText(text)));
export const escapeHtml = (text: string): string => jsText(goHtml.EscapeHTMLStr(goText(text)));
export const unescapeHtml = (text: string): string => jsText(goHtml.UnescapeString(goText(text)));
