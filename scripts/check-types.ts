// A rule that needs types: nothing that may reject stands behind `void`, where nobody handles it and it ends the service. The types
// themselves are svelte-check's, which reads every file.
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** Whether a rejection of the expression is handled in it. */
function isHandled(node: ts.Expression): boolean {
  if (ts.isParenthesizedExpression(node)) return isHandled(node.expression);
  if (ts.isAwaitExpression(node)) return true;
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return false;
  const { name, expression } = node.expression;
  if (name.text === 'finally') return isHandled(expression);
  return name.text === 'catch' || (name.text === 'then' && node.arguments.length > 1);
}

const isPromise = (type: ts.Type): boolean =>
  type.isUnion() ? type.types.some(isPromise) : (type.flags & ts.TypeFlags.Any) === 0 && type.getProperty('then') !== undefined;

/** Places of a file where `void` stands before a promise whose rejection nobody handles, as `line: text`. */
export function unhandledIn(file: ts.SourceFile, checker: ts.TypeChecker): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isVoidExpression(node) && isPromise(checker.getTypeAtLocation(node.expression)) && !isHandled(node.expression)) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      found.push(`${line + 1}: ${node.getText().split('\n', 1)[0]}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

const IS_CHECKED = /^(?:src|scripts|bench|eval|devhost\/(?:kernel\/|[^/]+$))/;
const IS_TEST = /\.test\.ts$|\/testing\//;

function main(): void {
  const root = dirname(import.meta.dirname);
  const host: ts.ParseConfigFileHost = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: ({ messageText }) => console.error(messageText) };
  const config = ts.getParsedCommandLineOfConfigFile(join(root, 'tsconfig.json'), {}, host);
  if (!config) throw new Error('tsconfig.json cannot be read');
  const pathOf = (file: string): string => relative(root, file).replaceAll('\\', '/');
  const checked = config.fileNames.filter((file) => IS_CHECKED.test(pathOf(file)) && !IS_TEST.test(file));
  const program = ts.createProgram(checked, config.options);
  const checker = program.getTypeChecker();
  const unhandled = checked.flatMap((name) => {
    const file = program.getSourceFile(name);
    if (!file) throw new Error(`${name} was not read`);
    return unhandledIn(file, checker).map((place) => `${pathOf(name)}:${place}`);
  });
  for (const place of unhandled) console.error(`${place}: nobody handles its rejection: inBackground(…) does (src/tools/util/notify.ts)`);
  console.log(unhandled.length === 0 ? `promises: ok (${checked.length} files)` : `${unhandled.length} problems`);
  process.exitCode = unhandled.length === 0 ? 0 : 1;
}

if (import.meta.main) main();
