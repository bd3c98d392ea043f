import type { JsonSchema, ToolDefinition } from '../contract/messages.ts';
import type { Tool } from '../contract/types.ts';
import { isRecord } from '../util/plain-value.ts';
import { limitsInWords, resolveSchema, schemaTypes } from '../util/schema.ts';

const MAX_DEPTH = 8;
const sent = new WeakMap<JsonSchema, JsonSchema>();

/** Only parts of JSON schema that every server accepts (docs/decisions.md, "Schemas that are sent"); one object per schema. */
export function portableSchema(schema: JsonSchema): JsonSchema {
  const known = sent.get(schema);
  if (known) return known;
  const { properties = {}, required = [], ...rest } = new Portable(schema).node(schema, 0);
  const made = { ...rest, type: 'object', properties, required };
  sent.set(schema, made);
  return made;
}

/** `declaredReturnType` is described to the model as part of the description. */
export function describeReturn(tool: Tool): ToolDefinition {
  const { definition, declaredReturnType } = tool;
  if (declaredReturnType === undefined) return definition;
  const note = declaredReturnType.note === undefined ? '' : ` (${declaredReturnType.note})`;
  const description = `${definition.function.description} Returns ${declaredReturnType.type}${note}.`;
  return { ...definition, function: { ...definition.function, description } };
}

export const offeredTool = (definition: ToolDefinition): ToolDefinition => ({
  ...definition,
  function: { ...definition.function, parameters: portableSchema(definition.function.parameters) },
});

class Portable {
  private readonly root: JsonSchema;

  constructor(root: JsonSchema) {
    this.root = root;
  }

  node(given: unknown, depth: number): JsonSchema {
    if (!isRecord(given) || depth > MAX_DEPTH) return {};
    const node = resolveSchema(given, this.root);
    const options = [node.anyOf, node.oneOf].find(Array.isArray);
    if (options) {
      const parts = options.filter((option) => !isRecord(option) || option.type !== 'null').map((option) => this.node(option, depth + 1));
      const [only] = parts;
      return { ...(parts.length === 1 ? only : { anyOf: parts }), ...this.words(node, '') };
    }
    const choices = node.const === undefined ? node.enum : [node.const];
    const [type] = schemaTypes(node).filter((each) => each !== 'null');
    if (Array.isArray(choices)) return this.choice(node, choices, type);
    if (type === 'object') return this.object(node, depth);
    if (type === 'array') return { type, items: this.items(node, depth), ...this.words(node, limitsInWords(node)) };
    return { ...(type === undefined ? {} : { type }), ...this.words(node, limitsInWords(node)) };
  }

  private words(node: JsonSchema, limits: string): JsonSchema {
    const description = typeof node.description === 'string' ? node.description : '';
    const both = [description, ...(limits === '' || description.includes(limits) ? [] : [limits])].filter((part) => part !== '').join('; ');
    return both === '' ? {} : { description: both };
  }

  /** Some servers accept only strings as choices, and no empty ones. */
  private choice(node: JsonSchema, choices: readonly unknown[], type: string | undefined): JsonSchema {
    const texts = choices.filter((choice) => typeof choice === 'string' && choice !== '');
    if (texts.length === choices.length) return { type: 'string', enum: texts, ...this.words(node, '') };
    const words = `one of ${choices.map((choice) => JSON.stringify(choice)).join(', ')}`;
    return { ...(type === undefined ? {} : { type }), ...this.words(node, words) };
  }

  private object(node: JsonSchema, depth: number): JsonSchema {
    const { properties, required } = node;
    const words = this.words(node, '');
    // If names are free, an empty list would forbid them all.
    if (!isRecord(properties)) return { type: 'object', ...words };
    const parts = Object.entries(properties).map(([name, part]) => [name, this.node(part, depth + 1)] as const);
    const needed = Array.isArray(required) ? required.filter((name) => typeof name === 'string' && Object.hasOwn(properties, name)) : [];
    return { type: 'object', properties: Object.fromEntries(parts), ...(needed.length > 0 ? { required: needed } : {}), ...words };
  }

  /** Some servers refuse a list without item type. */
  private items({ items }: JsonSchema, depth: number): JsonSchema {
    const kind = this.node(items, depth + 1);
    return Object.keys(kind).length === 0 ? { type: 'string' } : kind;
  }
}
