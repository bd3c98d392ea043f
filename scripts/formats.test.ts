// Holds docs/formats.md to the source: each table or list below "declared as" has a line for each field of that declaration, and no other.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { openSettings } from '../src/host/settings/settings.ts';

const docs = join(dirname(import.meta.dirname), 'docs');
const page = readFileSync(join(docs, 'formats.md'), 'utf8');

type Member = ts.TypeElement | ts.ObjectLiteralElementLike;
type Declaration = ts.InterfaceDeclaration | ts.TypeAliasDeclaration | ts.VariableDeclaration;

function declarationsIn(path: string): readonly Declaration[] {
  const source = ts.createSourceFile(path, readFileSync(join(docs, path), 'utf8'), ts.ScriptTarget.Latest, true);
  return source.statements.flatMap((statement): readonly Declaration[] => {
    if (ts.isVariableStatement(statement)) return statement.declarationList.declarations;
    return ts.isInterfaceDeclaration(statement) || ts.isTypeAliasDeclaration(statement) ? [statement] : [];
  });
}

/** Members of the first `{…}` in a type or value that has any. */
function membersBelow(node: ts.Node | undefined): readonly Member[] {
  if (!node) return [];
  if (ts.isTypeLiteralNode(node) && node.members.length > 0) return node.members;
  if (ts.isObjectLiteralExpression(node) && node.properties.length > 0) return node.properties;
  return ts.forEachChild(node, (child) => membersBelow(child).at(0) && membersBelow(child)) ?? [];
}

function fieldsOf(members: readonly Member[]): readonly string[] {
  return members.flatMap((member) => {
    if (!member.name) return [];
    // A table of names: what is saved is the value.
    if (ts.isPropertyAssignment(member) && ts.isStringLiteral(member.initializer)) return [member.initializer.text];
    const content = ts.isPropertySignature(member) ? member.type : ts.isPropertyAssignment(member) ? member.initializer : undefined;
    const optional = ts.isPropertySignature(member) ? member.questionToken !== undefined : /^v\.optional\(/u.test(content?.getText() ?? '');
    const name = member.name.getText() + (optional ? '?' : '');
    const inner = fieldsOf(membersBelow(content));
    return inner.length === 0 ? [name] : inner.map((field) => `${name}.${field}`);
  });
}

/** Of one form of a union: `tool-end: callId`. */
function formOf(form: ts.TypeNode): readonly string[] {
  const members = fieldsOf(membersBelow(form)).filter((field) => field !== 'type');
  const type = /\btype: '([\w-]+)'/u.exec(form.getText())?.[1] ?? '';
  return members.length === 0 ? [`${type}: `] : members.map((field) => `${type}: ${field}`);
}

function declaredFields(path: string, name: string): readonly string[] {
  const declarations = declarationsIn(path);
  const found = declarations.find((one) => one.name.getText() === name);
  if (!found) return [`${path} declares no ${name}`];
  if (ts.isVariableDeclaration(found)) return fieldsOf(membersBelow(found.initializer));
  if (ts.isTypeAliasDeclaration(found)) return ts.isUnionTypeNode(found.type) ? found.type.types.flatMap(formOf) : [];
  const bases = found.heritageClauses?.flatMap(({ types }) => types.map((type) => type.getText())) ?? [];
  return [...bases.flatMap((base) => declaredFields(path, base)), ...fieldsOf(found.members)];
}

const namesIn = (text: string): readonly string[] => [...text.matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name.replaceAll('[]', ''));

/** What the lines of a table or list are about: the names that a line begins with; where a table has forms of a union, with their type. */
function describedFields(lines: readonly string[]): readonly string[] {
  const forms = lines[0]?.startsWith('| `type` |');
  return lines.flatMap((line) => {
    if (line.startsWith('- ')) return namesIn(line.split(': ')[0] ?? '');
    const [, first = '', second = ''] = line.split('|');
    if (!forms) return namesIn(first);
    const [type] = namesIn(first);
    if (type === undefined || type === 'type') return [];
    const fields = namesIn(second);
    return fields.length === 0 ? [`${type}: `] : fields.map((field) => `${type}: ${field}`);
  });
}

/** The table or list that follows each "declared as" of the page. */
const descriptions = [
  ...page.matchAll(/eclared\s+as\s+\[`(\w+)`\]\(([^)]+)\)[^\n]*\n(?:(?![|-] ?)[^\n]*\n)*?\n?((?:(?:[|-]| {2})[^\n]*\n)+)/gu),
].map(([, name = '', path = '', lines = '']) => ({ name, path, lines: lines.split('\n') }));

describe('docs/formats.md', () => {
  it('describes what is saved, sent as an event or put on blocks', () => {
    const named = [
      'settingsFormat',
      'Session',
      'Node',
      'Payload',
      'SavedVariable',
      'TurnLogStep',
      'entrySchema',
      'CHAT_ATTRIBUTES',
      'EventBody',
    ];
    expect(descriptions.map(({ name }) => name)).toEqual(expect.arrayContaining(named));
    expect(descriptions).toHaveLength([...page.matchAll(/eclared\s+as\s/gu)].length);
  });

  it.each(descriptions)('has each field of $name, and no other', ({ name, path, lines }) => {
    const declared = declaredFields(path, name);
    // What has a default may be absent.
    const plain = (field: string): string => (lines[0]?.includes('default') ? field.replaceAll('?', '') : field);
    expect([...describedFields(lines)].sort()).toEqual(declared.map(plain).sort());
  });

  it('has the defaults of the settings', async () => {
    const storage = { read: async () => null, write: async () => undefined, list: async () => [] };
    const settings = (await openSettings(storage, { get: () => undefined, set: () => undefined }, () => 0)).get();
    const rows = descriptions
      .find(({ name }) => name === 'settingsFormat')
      ?.lines.map((line) => line.split('|').map((cell) => cell.trim()));
    const defaults = (rows ?? []).slice(2).flatMap(([, field = '', , value = '']) => {
      if (field === '') return [];
      const [name = ''] = namesIn(field);
      const found = name.split('.').reduce<unknown>((object, key) => Object(object)[key], settings);
      return [[name, value, found === undefined ? '–' : `\`${JSON.stringify(found)}\``]];
    });
    expect(defaults.length).toBeGreaterThan(15);
    expect(defaults.filter(([, written, real]) => written !== real)).toEqual([]);
  });
});
