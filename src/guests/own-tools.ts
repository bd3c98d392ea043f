interface AskedTool {
  readonly title: string;
  readonly kind: string | undefined;
  /** The name of our server. */
  readonly server: string;
}

/** What an agent does to the machine, whatever it calls it. */
const OF_THE_MACHINE = new Set(['execute', 'edit', 'delete', 'move']);

/**
 * Whether an agent asks about a tool of our server: agents name it in different ways, always the server's name and the tool's. A title with
 * anything more, such as a command that has both in it, is not one.
 */
export function isOwnTool({ title, kind, server }: AskedTool): boolean {
  if (kind !== undefined && OF_THE_MACHINE.has(kind)) return false;
  const name = '[a-zA-Z]\\w*';
  const forms = [`mcp__${server}__${name}`, `${server}[_./:] ?${name}`, `${name} \\(${server}(?: MCP Server)?\\)`];
  return new RegExp(`^(?:${forms.join('|')})$`, 'u').test(title.trim());
}
