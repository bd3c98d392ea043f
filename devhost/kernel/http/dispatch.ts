import { MissingParameter } from '../api/parameters.ts';
import { ApiError } from '../api-error.ts';
import type { Kernel } from '../kernel.ts';
import { type Envelope, RawAnswer, type RequestContext, type Route } from '../router.ts';
import type { ParsedBody } from './request.ts';
import { decodeStrictly } from './request-shapes.ts';

const READ_ONLY = 'This operation is not supported in read-only mode';

/** Asked while a queued delete still waits: the kernel says what it knew before (recorded/blocks.json). */
const NOT_WAITING = new Set(['/api/block/checkBlockExist']);

const envelope = (data: unknown): Envelope => ({ code: 0, msg: '', data: data ?? null });

/** Unknown routes of the kernel, each named once in the log. */
export class UnknownRoutes {
  private readonly seen = new Set<string>();

  /** HTTP 200 with an empty body, as the kernel answers a route that it does not have. */
  answer(path: string): RawAnswer {
    if (!this.seen.has(path)) console.warn(`devhost: ${path} is not implemented; answered like an unknown route`);
    this.seen.add(path);
    return new RawAnswer(200, 'text/plain; charset=utf-8', '');
  }
}

/** Runs a route. Expected failures become envelopes; anything else is logged and becomes code -1, never a crash. */
export async function dispatch(route: Route, parsed: ParsedBody, context: RequestContext, kernel: Kernel): Promise<Envelope | RawAnswer> {
  try {
    if (route.writes && kernel.readOnly) throw new ApiError(-1, READ_ONLY, { closeTimeout: 5000 });
    if (kernel.isNewer) decodeStrictly(context.path, parsed.body);
    if (!NOT_WAITING.has(context.path)) kernel.transactions.flush();
    const answer = await route.handle(parsed.body, context);
    return answer instanceof RawAnswer ? answer : envelope(answer);
  } catch (error) {
    if (error instanceof ApiError) return { code: error.code, msg: error.message, data: error.data };
    if (error instanceof MissingParameter) return envelope(null);
    console.error(`devhost: ${context.path} failed`, error);
    // Lute panics on some input (a malformed id in an IAL); the kernel recovers and answers as if nothing had been asked.
    if (error instanceof Error && error.message.startsWith('runtime error')) return envelope(null);
    return { code: -1, msg: error instanceof Error ? error.message : String(error), data: null };
  }
}
