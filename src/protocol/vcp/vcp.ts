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
import { writeExample, writeParameters } from './parameters.ts';
import { VcpBlock } from './read-block.ts';

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
