import { engine, type GoField, type GoNode, type GoSlice, type GoSliceType, type GoTree, goAst, goParse, goText, jsText } from '../lute.ts';
import { asSuperBlock, isNewer } from './newer-blocks.ts';
import type { KernelNode } from './node.ts';

function fieldType(name: string): GoSliceType {
  const field = goAst.Node.fields.find((f) => f.name === name);
  if (!field) throw new Error(`lute_changed: ast.Node has no field ${name} → pin vditor to the version of package-lock.json`);
  return field.typ;
}

const ByteSlice = fieldType('Tokens');
const AttributeList = fieldType('KramdownIAL');
const AttributePair = AttributeList.elem;

/** Fields that a `.sy` file holds under their own name, found by their json tags (`json:"-"` ones are left out). */
const plainFields = (fields: readonly GoField[]): GoField[] =>
  fields.filter(
    (f) => !f.tag.includes('"-"') && !['Children', 'TypeStr', 'Data', 'Properties', 'FootnotesRefs', 'ListData'].includes(f.name),
  );

const nodeFields = plainFields(goAst.Node.fields);
const listFields = plainFields(goAst.ListData.fields);

const sliceValues = (slice: GoSlice): unknown[] => Array.from(slice.$array).slice(slice.$offset, slice.$offset + slice.$length);
const sliceBytes = (slice: GoSlice): Buffer => Buffer.from(sliceValues(slice) as number[]);
const byteSlice = (bytes: Uint8Array): GoSlice => new ByteSlice(new Uint8Array(bytes));

const typeNames = new Map<number, string>();

function typeName(type: number): string {
  const known = typeNames.get(type);
  if (known) return known;
  const name = new goAst.NodeType(type).String();
  typeNames.set(type, name);
  return name;
}

/** One field as JSON holds it: bytes in base64, zero values left out (Go's omitempty). */
function readField(owner: Record<string, unknown>, field: GoField): unknown {
  const value = owner[field.name];
  switch (field.typ.string) {
    case 'string':
      return value === '' ? undefined : jsText(value as string);
    case '[]uint8':
      return (value as GoSlice).$length === 0 ? undefined : sliceBytes(value as GoSlice).toString('base64');
    case '[]int':
      return (value as GoSlice).$length === 0 ? undefined : sliceValues(value as GoSlice);
    default:
      return value === 0 || value === false ? undefined : value;
  }
}

function writeField(owner: Record<string, unknown>, field: GoField, value: unknown): void {
  if (value === undefined || value === null) return;
  switch (field.typ.string) {
    case 'string':
      owner[field.name] = goText(String(value));
      return;
    case '[]uint8':
      owner[field.name] = byteSlice(Buffer.from(String(value), 'base64'));
      return;
    case '[]int':
      owner[field.name] = new field.typ(Int32Array.from(value as number[]));
      return;
    default:
      owner[field.name] = value;
  }
}

function attributesOf(node: GoNode): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const pair of sliceValues(node.KramdownIAL)) {
    const [name, value] = sliceValues(pair as GoSlice) as [string, string];
    // What the editor shows but no file keeps.
    if (name !== 'refcount' && name !== 'av-names') attributes[jsText(name)] = jsText(value);
  }
  return attributes;
}

/** A Go node and what is below it as a `.sy` file would hold them; nodes that only spell out an IAL are left out. */
export function fromGo(node: GoNode): KernelNode {
  const result: KernelNode = { Type: typeName(node.Type) };
  for (const field of nodeFields) {
    const value = readField(node, field);
    if (value !== undefined) result[field.name] = value;
  }
  const data = sliceBytes(node.Tokens).toString('utf8');
  if (data !== '') result.Data = data;
  const attributes = attributesOf(node);
  if (Object.keys(attributes).length > 0) result.Properties = attributes;
  const list = node.ListData as Record<string, unknown>;
  if (list !== goAst.ListData.ptr.nil) {
    const entries = listFields.map((f) => [f.name, readField(list, f)]).filter(([, value]) => value !== undefined);
    result.ListData = Object.fromEntries(entries);
  }
  const children: KernelNode[] = [];
  for (let child = node.FirstChild; child !== goAst.Node.ptr.nil; child = child.Next) {
    if (typeName(child.Type) !== 'NodeKramdownBlockIAL') children.push(fromGo(child));
  }
  if (children.length > 0) result.Children = children;
  return result;
}

/** Builds the Go node of a kernel node. Unknown types are a programmer error of the file's writer and throw. */
export function toGo(given: KernelNode): GoNode {
  const node = isNewer(given.Type) ? asSuperBlock(given) : given;
  const result = new goAst.Node.ptr();
  result.Type = goAst.Str2NodeType(node.Type);
  for (const field of nodeFields) writeField(result, field, node[field.name]);
  if (node.Data) result.Tokens = byteSlice(Buffer.from(node.Data, 'utf8'));
  if (node.Properties) result.KramdownIAL = attributeSlice(node.Properties);
  if (node.ListData) {
    const list = new goAst.ListData.ptr();
    const source = node.ListData as Record<string, unknown>;
    for (const field of listFields) writeField(list, field, source[field.name]);
    result.ListData = list;
  }
  for (const child of node.Children ?? []) result.AppendChild(toGo(child));
  return result;
}

function attributeSlice(attributes: Readonly<Record<string, string>>): GoSlice {
  const pairs = Object.entries(attributes).map(([name, value]) => new AttributePair([goText(name), goText(value)]));
  return new AttributeList(pairs);
}

/** Text of Markdown that is in one line: marks and escapes are read, link addresses are left out. */
export function inlineText(markdown: string): string {
  const line = goParse.Inline('', byteSlice(Buffer.from(markdown, 'utf8')), engine.ParseOptions).Root.FirstChild;
  return jsText(line.Content());
}

/** `{: id="…" …}` as a node that follows its block. */
export function attributeNode(node: KernelNode): GoNode {
  const list = Object.entries(node.Properties ?? {}).map(([name, value]) => ` ${name}="${value}"`);
  return toGo({ Type: 'NodeKramdownBlockIAL', Data: `{:${list.join('')}}` });
}

/** A tree whose document holds `children`; renderers want a whole tree. */
export function treeOf(children: readonly GoNode[]): GoTree {
  const tree = engine.BlockDOM2Tree('');
  const root = new goAst.Node.ptr();
  root.Type = goAst.Str2NodeType('NodeDocument');
  for (const child of children) root.AppendChild(child);
  tree.Root = root;
  return tree;
}
