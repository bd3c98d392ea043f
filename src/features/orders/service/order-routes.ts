import { Hono } from 'hono';
import type * as v from 'valibot';
import { timeZone } from '../../../app/workspace/system-clock.ts';
import { approvalView } from '../../../service/chats/turn-events.ts';
import { ServiceError } from '../../../service/contract/errors.ts';
import { readBody } from '../../../service/http/body.ts';
import type { PendingDecision } from '../../../tools/calls/pending.ts';
import { NEVER } from '../../../tools/util/abort.ts';
import type { InboxItem } from '../inbox.ts';
import type { OpenOrders } from '../open-orders.ts';
import type { OrderRun } from '../order-files.ts';
import type { OrderView } from '../order-runner.ts';
import { inboxDecisionFormat, orderActionFormat, ordersNoteFormat } from './described-orders.ts';

const iso = (milliseconds: number): string => new Date(milliseconds).toISOString();

const runView = ({ id, started, status, reason, proposals }: OrderRun): object => ({
  ...{ id, started: iso(started), status, reason: reason ?? null, proposals: proposals.length },
});

function orderView({ order, next, last, failures, paused }: OrderView): object {
  const { id, name, text, when, problems } = order;
  return { id, name, text, when, problems, paused, failures, next: next.map(iso), last_run: last ? runView(last) : null };
}

const itemView = ({ request, started, note: _note, nodeId: _node, about: _about, code: _code, ...item }: InboxItem): object => ({
  ...{ ...item, started: iso(started) },
  approval: request && approvalView(request.approvalId, item.run, request),
});

const gone = (): ServiceError =>
  new ServiceError(
    404,
    'approval_missing',
    'nothing waits under this id, or it was not listed yet',
    'GET /api/orders/inbox lists what waits',
  );

function decisionOf(body: v.InferOutput<typeof inboxDecisionFormat>): PendingDecision {
  if (body.decision === 'never') return { approved: false, never: true };
  if (body.decision !== 'approve') return { approved: false };
  return { approved: true, acceptedOperations: body.accepted_operations, beyondRight: body.beyond_right };
}

/** The routes below /api/orders (docs/service.md). */
export function orderRoutes({ orders, inbox }: OpenOrders): Hono {
  const routes = new Hono();
  routes.get('/', async (context) => {
    const { note, orders: list, runsOn } = await orders.view(NEVER);
    return context.json({ note, runs_on: runsOn, time_zone: timeZone(), orders: list.map(orderView) });
  });
  routes.post('/note', async (context) => {
    await orders.choose((await readBody(context.req.raw, ordersNoteFormat)).note);
    return context.json({ done: true });
  });
  routes.get('/inbox', async (context) => context.json((await inbox.list()).map(itemView)));
  routes.post('/inbox/:run/:id', async (context) => {
    const { run, id } = context.req.param();
    const body = await readBody(context.req.raw, inboxDecisionFormat);
    if (body.decision === 'drop') {
      await inbox.drop(run, id);
      return context.json({ done: true });
    }
    if (!(await inbox.decide(run, id, decisionOf(body)))) throw gone();
    return context.json({ done: true });
  });
  routes.post('/:id', async (context) => {
    const { action } = await readBody(context.req.raw, orderActionFormat);
    const id = context.req.param('id');
    if (!(await orders.view(NEVER)).orders.some(({ order }) => order.id === id))
      throw new ServiceError(404, 'order_missing', 'there is no such order', 'GET /api/orders lists them');
    const acts = { run: orders.runNow, pause: orders.pause, resume: orders.resume, run_for_all: orders.runForAll };
    await acts[action].call(orders, id);
    return context.json({ done: true });
  });
  return routes;
}
