import { ProtocolError, ProtocolErrorCode, type Server } from '@modelcontextprotocol/server';
import { blockUri } from './call-result.ts';
import type { GuardedCalls, PromptView } from './guarded-calls.ts';

const NOTE = { name: 'note', description: 'Id of the note or block it is about', required: false };

const promptOf = (prompts: readonly PromptView[], wanted: string): PromptView => {
  const found = prompts.find(({ name }) => name === wanted);
  if (!found) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no prompt ${JSON.stringify(wanted.slice(0, 80))}`);
  return found;
};

/** Our prompts and the user's. */
export function addPrompts(server: Server, calls: () => GuardedCalls): void {
  server.setRequestHandler('prompts/list', async () => ({
    prompts: (await calls().prompts()).map(({ name, title, description }) => ({ name, title, description, arguments: [NOTE] })),
  }));
  server.setRequestHandler('prompts/get', async ({ params }) => {
    const { description, text } = promptOf(await calls().prompts(), params.name);
    const note = params.arguments?.[NOTE.name];
    const about = note === undefined ? '' : `\n\nThe note: ${blockUri(note)}`;
    return { description, messages: [{ role: 'user', content: { type: 'text', text: `${text}${about}` } }] };
  });
}
