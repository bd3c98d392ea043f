// The routes of orders: what is asked, what is answered.
import * as v from 'valibot';
import { approvalFields, maybe, text, time } from '../../../service/http/answers.ts';
import { decisionFormat } from '../../../service/http/requests.ts';
import type { RouteDescription } from '../../../service/http/served-feature.ts';

export const ordersNoteFormat = v.object({ note: v.pipe(v.string(), v.description('Id of the note of orders; empty: none')) });

export const orderActionFormat = v.object({
  action: v.pipe(
    v.picklist(['run', 'pause', 'resume', 'run_for_all']),
    v.description('`run_for_all`: also for the notes that had the tag before'),
  ),
});

export const inboxDecisionFormat = v.object({
  decision: v.pipe(
    v.picklist(['approve', 'reject', 'never', 'drop']),
    v.description('`never`: rejected, and the order is told not to propose it again'),
  ),
  accepted_operations: decisionFormat.entries.accepted_operations,
  beyond_right: decisionFormat.entries.beyond_right,
});

const orderRun = v.object({
  id: v.pipe(text, v.description('Of the run, and of its chat')),
  started: time,
  status: v.picklist(['running', 'done', 'budget', 'failed', 'cut_off']),
  reason: maybe(text),
  proposals: v.number(),
});
const order = v.object({
  id: text,
  name: text,
  text,
  when: text,
  next: v.pipe(v.array(time), v.description('The next times; none if it is paused, has problems or waits for a tag or an event')),
  problems: v.array(v.object({ code: text, line: text })),
  paused: maybe(v.picklist(['person', 'failures'])),
  failures: v.number(),
  last_run: maybe(orderRun),
});
const ordersAnswer = v.object({
  note: v.object({
    kind: v.picklist(['none', 'unreadable', 'read']),
    id: v.optional(text),
    title: v.optional(text),
    reason: v.optional(text),
  }),
  runs_on: v.pipe(text, v.description('The program that runs them, and its time zone; empty if none does')),
  time_zone: v.pipe(text, v.description('By which days and times are read here, such as Asia/Shanghai')),
  orders: v.array(order),
});

const inboxAnswer = v.array(
  v.object({
    id: text,
    run: text,
    order: text,
    name: text,
    started: time,
    tool: text,
    words: text,
    changed: v.pipe(text, v.description('Why it does not fit any more; empty if it does')),
    approval: v.optional(v.object(approvalFields)),
  }),
);

const doneAnswer = v.object({ done: v.boolean() });

export const ORDER_ROUTES: readonly RouteDescription[] = [
  {
    method: 'GET',
    path: '/api/orders',
    summary: 'The standing orders, how they were understood and when they run',
    answer: ordersAnswer,
  },
  {
    method: 'POST',
    path: '/api/orders/note',
    summary: 'Chooses the note of standing orders',
    body: ordersNoteFormat,
    answer: doneAnswer,
    example: { body: { note: '20260101120000-abcdefg' } },
  },
  { method: 'GET', path: '/api/orders/inbox', summary: 'Proposals that wait, each planned again', answer: inboxAnswer },
  {
    method: 'POST',
    path: '/api/orders/inbox/{run}/{id}',
    summary: 'Approves a proposal in whole or in part, or rejects it',
    body: inboxDecisionFormat,
    answer: doneAnswer,
    example: { body: { decision: 'approve' } },
  },
  {
    method: 'POST',
    path: '/api/orders/{id}',
    summary: 'Runs an order now, pauses it or starts it again',
    body: orderActionFormat,
    answer: doneAnswer,
    example: { body: { action: 'run' } },
  },
];
