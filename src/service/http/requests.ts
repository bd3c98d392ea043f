// The shapes of requests. The OpenAPI description is made from the same formats.
import * as v from 'valibot';
import { TOOL_MODES } from '../chats/messages.ts';
import { time, wholeNumber } from './query.ts';

export const sendFormat = v.object({
  session_id: v.pipe(v.nullish(v.string()), v.description('Of the chat; without it, or with an unknown one, a new chat begins')),
  project: v.pipe(
    v.nullish(v.string()),
    v.description('Of a new chat: the name of a project, or the id of its note; its chats keep to what it allows'),
  ),
  message: v.pipe(
    v.string(),
    v.check((text) => text.trim() !== '', 'it is empty'),
    v.description('The question; not empty'),
  ),
  attachments: v.nullish(
    v.pipe(
      v.array(
        v.object({
          name: v.pipe(v.string(), v.nonEmpty('it is empty'), v.maxLength(200)),
          data: v.pipe(v.string(), v.description('The bytes as a data URL: `data:TYPE;base64,…`')),
        }),
      ),
      v.maxLength(20),
      v.description('Pictures, recordings, PDFs and texts; as multipart/form-data the files of the form'),
    ),
  ),
  stream: v.pipe(v.optional(v.boolean(), true), v.description('Events as they come, or one object when the answer is complete')),
  plan_first: v.optional(
    v.pipe(
      v.boolean(),
      v.description('The chat changes nothing before a list of its changes is approved, from now on; default: as before'),
    ),
  ),
  abort_on_disconnect: v.pipe(v.optional(v.boolean(), false), v.description('The turn ends when this client disconnects')),
});

export const decisionFormat = v.object({
  decision: v.picklist(['approve', 'reject']),
  reason: v.optional(v.pipe(v.string(), v.description('Of a rejection; the model is told'))),
  accepted_operations: v.optional(
    v.pipe(v.array(v.string()), v.description('Ids of the changes of the plan that are approved; default: all')),
  ),
  remember: v.optional(v.pipe(v.boolean(), v.description('Allows the tool in this chat'))),
  beyond_right: v.optional(v.pipe(v.boolean(), v.description('Lets a plan with needsRight pass this once'))),
});

export const undoFormat = v.object({
  message_id: v.pipe(v.string(), v.description('The answer that wrote')),
  call_id: v.optional(v.pipe(v.string(), v.description('Only what this call of it wrote'))),
});

const chatId = v.optional(v.pipe(v.string(), v.description('Of one chat; default: of all')));

export const messagesQuery = v.object({
  metadata: v.optional(
    v.pipe(
      v.picklist(['true', 'false'], 'use true or false'),
      v.transform((given) => given === 'true'),
      v.description('Adds each message’s requests and results of calls, as `metadata`'),
    ),
  ),
  tool_mode: v.optional(
    v.pipe(v.picklist(TOOL_MODES, `give one of ${TOOL_MODES.join(', ')}`), v.description('How much of each call is returned')),
    'full',
  ),
  limit: v.optional(v.pipe(wholeNumber(1, 1000), v.description('At most this many, the last ones; default: all'))),
  before: v.optional(v.pipe(v.string(), v.description('Id of a message: only messages before it'))),
});

export const ofChatQuery = v.object({ session_id: chatId });

export const recordsQuery = v.object({
  session_id: chatId,
  tool_name: v.optional(v.pipe(v.string(), v.description('Calls of this tool'))),
  limit: v.optional(wholeNumber(1, 200), '50'),
  offset: v.optional(wholeNumber(0, 999_999_999), '0'),
});

export const removeQuery = v.object({
  session_id: chatId,
  before: v.optional(v.pipe(time, v.description('Calls that began before this time'))),
});
