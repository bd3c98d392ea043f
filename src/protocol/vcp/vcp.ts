import type { JsonSchema } from '../../tools/contract/messages.ts';
import { type SchemaNode, schemaOf, schemaTypes } from '../../tools/util/schema.ts';
import type {
  DefinedMethod,
  ParsedToolRequest,
  ToolCallingProtocol,
  ToolDefinitionInput,
  ToolExecutionResult,
  WrittenCall,
} from '../contract.ts';
import { otherForms } from '../families/other-forms.ts';
import { RequestScanner, requestsIn } from '../scanner/scanner.ts';
import type { BlockSyntax } from '../scanner/syntax.ts';
import { nodeOf, writeText } from '../text-values.ts';
import { DEFINITION_CLOSE, DEFINITION_OPEN, REQUEST_CLOSE, REQUEST_OPEN, RESULT_CLOSE, RESULT_OPEN, writeField } from './markers.ts';
import { VcpBlock } from './read-block.ts';

/** A schema in few tokens, without lengths: `id: string (block id), limit?: integer 1..200 (default 20), op: get|set, ids: [string]`. */
function writeParameters(schema: JsonSchema): string {
  const properties = schemaOf(schema, 'properties') ?? {};
  return Object.keys(properties)
    .map((key) => `${key}${requiredOf(schema).includes(key) ? '' : '?'}: ${writeNode(schemaOf(schema, 'properties', key))}`)
    .join(', ');
}

function requiredOf(schema: SchemaNode): readonly string[] {
  const required = schema?.required;
  return Array.isArray(required) ? required.filter((key) => typeof key === 'string') : [];
}

function writeNode(node: SchemaNode): string {
  const words = node?.description;
  return writeType(node) + (typeof words === 'string' && words !== '' ? ` (${words})` : '');
}

function writeType(node: SchemaNode): string {
  if (node === undefined) return 'any';
  if (Array.isArray(node.enum)) return node.enum.map((choice) => (typeof choice === 'string' ? choice : JSON.stringify(choice))).join('|');
  if (node.const !== undefined) return JSON.stringify(node.const);
  const types = schemaTypes(node);
  const [type = 'any'] = types;
  if (types.length > 1) return types.join('|');
  if (type === 'array') return `[${writeNode(schemaOf(node, 'items'))}]`;
  if (type === 'object') return writeObject(node);
  const { minimum, maximum } = node;
  if (typeof minimum !== 'number' && typeof maximum !== 'number') return type;
  return `${type} ${minimum ?? ''}..${maximum ?? ''}`;
}

function writeObject(node: JsonSchema): string {
  const fields = writeParameters(node);
  if (fields !== '') return `{${fields}}`;
  const others = node.additionalProperties;
  return typeof others === 'object' && others !== null ? `{key: ${writeType({ ...others })}}` : 'object';
}

/** The field `example`: the fields of a call with all required arguments, or with the first argument if none is required. */
function writeExample(schema: JsonSchema): string {
  const required = requiredOf(schema);
  const keys = required.length > 0 ? required : Object.keys(schemaOf(schema, 'properties') ?? {}).slice(0, 1);
  const fields = keys.map((key) => {
    const value = exampleOf(schemaOf(schema, 'properties', key));
    return writeField(key, typeof value === 'string' ? value : JSON.stringify(value));
  });
  const example = fields.join(' ');
  // As a model should write it, without backslashes, unless it would end the field.
  return /ESCAPE」/iu.test(example) ? writeField('example', example) : `example:「始ESCAPE」${example}「末ESCAPE」`;
}

function exampleOf(node: SchemaNode): unknown {
  const choices = node?.enum;
  if (Array.isArray(choices)) return choices[0];
  const [type] = schemaTypes(node);
  if (type === 'array') return [exampleOf(schemaOf(node, 'items'))];
  if (type === 'object') return Object.fromEntries(requiredOf(node).map((key) => [key, exampleOf(schemaOf(node, 'properties', key))]));
  if (type === 'integer' || type === 'number') return typeof node?.minimum === 'number' ? node.minimum : 1;
  return type === 'boolean' ? true : '…';
}

const SYNTAX: BlockSyntax = {
  idPrefix: 'vcp',
  isText: true,
  pieceFrom: '<<<['.length,
  strays: [REQUEST_CLOSE],
  opener: REQUEST_OPEN,
  open: (_opener, listener) => new VcpBlock(listener),
};

const HOW_TO_CALL = `To use a tool, write a request in exactly this form and end your answer after it; its result comes in the next message:
${REQUEST_OPEN}
tool_name:「始」name of the tool「末」
key:「始」value「末」
${REQUEST_CLOSE}
Each parameter is on its own line; those marked ? may be left out. Lists and objects are JSON. Put a value that contains 「 or <<<[ between 「始ESCAPE」 and 「末ESCAPE」. Requests in code blocks are not run. Never write a result yourself. Examples show the fields of a request.`;

function writeDefinition({ definition, title, command }: DefinedMethod): string {
  const { name, description, parameters } = definition.function;
  return [
    DEFINITION_OPEN,
    writeField('tool_name', name),
    ...(title === undefined ? [] : [writeField('title', title)]),
    ...(command === undefined ? [] : [writeField('command', command)]),
    writeField('description', description),
    writeField('parameters', writeParameters(parameters)),
    writeExample(parameters),
    DEFINITION_CLOSE,
  ].join('\n');
}

function writeResult({ requestId, toolName, status, result, durationMs }: ToolExecutionResult): string {
  return [
    RESULT_OPEN,
    writeField('tool_name', toolName),
    writeField('request_id', requestId),
    writeField('status', status),
    writeField('duration_ms', String(Math.round(durationMs))),
    writeField('result', result),
    RESULT_CLOSE,
  ].join('\n');
}

function writeRequest({ requestId, toolName, args, parameters }: WrittenCall): string {
  const given = Object.entries(args).flatMap(([key, value]) => {
    const text = writeText(value, nodeOf(parameters, key));
    return text === undefined ? [] : [writeField(key, text)];
  });
  return [
    REQUEST_OPEN,
    writeField('tool_name', toolName),
    ...(requestId === undefined ? [] : [writeField('request_id', requestId)]),
    ...given,
    REQUEST_CLOSE,
  ].join('\n');
}

/** The Variable & Command Protocol: `key:「始」value「末」` between markers, which small models write reliably. */
export const VCP: ToolCallingProtocol = {
  id: 'vcp',
  label: 'VCP',
  stopSequences: [REQUEST_CLOSE],
  resultStart: RESULT_OPEN,
  generateToolDefinitions(input: readonly ToolDefinitionInput[]): string {
    const methods = input.flatMap((tool) => tool.methods);
    return methods.length === 0 ? '' : [HOW_TO_CALL, ...methods.map(writeDefinition)].join('\n');
  },
  parseToolRequests: (finalText: string): readonly ParsedToolRequest[] => requestsIn(SYNTAX, finalText),
  formatToolResults: (results) => results.map(writeResult).join('\n'),
  formatToolRequest: writeRequest,
  stream: (isTool) => new RequestScanner(SYNTAX, { others: isTool && otherForms(SYNTAX.opener, isTool) }),
};
