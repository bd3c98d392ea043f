// pdf.js comes in one module that reads, draws and edits. Only the text of a document is asked for here: what draws and edits is left out of
// the build, and with it whatever only that needs.
import ts from 'typescript';

/** Classes that nothing asks for where only text is read; in their place stands one that does nothing. */
const UNUSED_CLASSES = [
  // The page: drawing, layers over the canvas, editors.
  'AnnotationEditor',
  'AnnotationEditorLayer',
  'AnnotationEditorUIManager',
  'AnnotationLayer',
  'CanvasBBoxTracker',
  'CanvasDependencyTracker',
  'CanvasGraphics',
  'DOMFilterFactory',
  'DrawLayer',
  'InternalRenderTask',
  'SignatureExtractor',
  'TextLayer',
  'WebGPU',
  'XfaLayer',
  // The worker: pictures, shadings, forms, changed documents.
  'Annotation',
  'AnnotationFactory',
  'FakeUnicodeFont',
  'ImageResizer',
  'JpegImage',
  'PDFEditor',
  'PDFFunction',
  'PDFImage',
  'Pattern',
  'StructTreePage',
  'StructTreeRoot',
  'WidgetAnnotation',
  'XFAFactory',
];
/** The three are called of some of them whatever is asked for. */
const STUB = 'class{static setOptions(){}static cleanup(){}destroy(){}}';
/** Fonts of XFA forms, which are not read. */
const UNUSED_FUNCTIONS = ['getXfaFontDict', 'getXfaFontName', 'getXfaFontWidths'];
/** It makes what unpacks streams of Brotli, which are a draft; its dictionary alone is 120 KB. Their document counts as unreadable. */
const UNUSED_DECODER = 'makeBrotliDecode';
const REFUSAL = '{throw new Error("not read here")}';
/** For pages that use pdf.js by its global names. */
const UNUSED_STATEMENTS = ['globalThis._pdfjsTestingUtils=', 'for(let e in '];

/** Where it keeps its worker. SiYuan's viewer is a pdf.js of another version, which would take ours from there and show nothing. */
const SHARED = 'globalThis.pdfjsWorker';
const OWN = 'own_pdfjsWorker';

interface Cut {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const isPureWhenUnused = (node: ts.Expression): boolean =>
  ts.isCallExpression(node) || ts.isNewExpression(node) || ts.isClassExpression(node);

/** The name that pdf.js has for it: minifying renames the variable, and the class keeps its own. */
const nameOf = ({ name, initializer }: ts.VariableDeclaration): string =>
  (initializer && ts.isClassExpression(initializer) && initializer.name?.text) || name.getText();

function cutOf(declaration: ts.VariableDeclaration): Cut | undefined {
  const { initializer } = declaration;
  if (!initializer) return undefined;
  const [from, to] = [initializer.getStart(), initializer.end];
  const name = nameOf(declaration);
  if (UNUSED_CLASSES.includes(name)) return { from, to, text: STUB };
  if (name === UNUSED_DECODER) return { from, to, text: `()=>()=>${REFUSAL}` };
  // Initializers of classes and tables have no effect beyond themselves: esbuild may drop the ones that nothing names any more.
  return isPureWhenUnused(initializer) ? { from, to, text: `/* @__PURE__ */ (()=>${initializer.getText()})()` } : undefined;
}

function cutOfFunction({ name, body }: ts.FunctionDeclaration): Cut | undefined {
  if (!name || !body || !UNUSED_FUNCTIONS.includes(name.text)) return undefined;
  return { from: body.getStart(), to: body.end, text: REFUSAL };
}

/** Throws where a name is not there any more: pdf.js has changed, and the list has to be looked at. */
export function pdfTextOnly(source: string): string {
  const file = ts.createSourceFile('pdfjs.mjs', source, ts.ScriptTarget.Latest, true);
  const declarations = file.statements.flatMap((statement) =>
    ts.isVariableStatement(statement) ? statement.declarationList.declarations : [],
  );
  const functions = file.statements.filter(ts.isFunctionDeclaration);
  const names = new Set([...declarations.map(nameOf), ...functions.map(({ name }) => name?.text)]);
  const gone = [...UNUSED_CLASSES, ...UNUSED_FUNCTIONS, UNUSED_DECODER].filter((name) => !names.has(name));
  const statements = file.statements.filter((statement) => UNUSED_STATEMENTS.some((start) => statement.getText().startsWith(start)));
  if (gone.length > 0 || statements.length !== UNUSED_STATEMENTS.length || !source.includes(SHARED))
    throw new Error(`pdf.js has changed: ${gone.join(', ') || 'its statements'} → look at scripts/pdf-text-only.ts`);
  const cuts: Cut[] = [
    ...declarations.flatMap((declaration) => cutOf(declaration) ?? []),
    ...functions.flatMap((declaration) => cutOfFunction(declaration) ?? []),
    ...statements.map((statement) => ({ from: statement.getStart(), to: statement.end, text: '' })),
  ];
  const cut = cuts
    .toSorted((one, other) => other.from - one.from)
    .reduce((text, { from, to, text: instead }) => text.slice(0, from) + instead + text.slice(to), source);
  return `let ${OWN};${cut.replaceAll(SHARED, OWN)}`;
}
