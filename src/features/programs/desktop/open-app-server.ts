import { type DoorOptions, type LocalDoor, openLocalDoor } from '../../../desktop/door/local-door.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import { fieldOf } from '../../../tools/util/plain-value.ts';
import { answerLeniently } from '../server/lenient-request.ts';
import { RequestRefused } from '../server/mcp-handler.ts';

interface AppServerOptions<Client> extends Pick<DoorOptions<Client>, 'port' | 'clientOf'> {
  /** Rejects with RequestRefused. */
  readonly handle: (request: Request, client: Client) => Promise<Response>;
}

function refusal(error: unknown): Response {
  if (!(error instanceof RequestRefused)) throw error;
  const { status, code, message, next } = error;
  return Response.json({ error: { code, message, next } }, { status });
}

/** The Model Context Protocol on a port of this machine. Rejects with `port_taken`. */
export async function openAppServer<Client>({ port, clientOf, handle }: AppServerOptions<Client>): Promise<LocalDoor> {
  const read = (request: Request): Promise<string> => request.text();
  try {
    return await openLocalDoor({
      ...{ port, clientOf },
      answer: (request, client) => answerLeniently(request, (even) => handle(even, client), read).catch(refusal),
    });
  } catch (error) {
    if (fieldOf(error, 'code') !== 'EADDRINUSE') throw error;
    throw new ToolError(
      'port_taken',
      `port ${port} is used by another program or window`,
      'close that, or choose another port',
      String(error),
    );
  }
}
