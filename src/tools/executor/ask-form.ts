import { type AskForm, contentOf, type FormAnswer, type ServerForm } from '../connections/server-form.ts';
import type { ApprovalDecision } from '../contract/types.ts';
import { linkSignals } from '../util/abort.ts';
import type { Renew } from '../util/run-limited.ts';
import { requestApproval } from './call-approval.ts';
import type { Call, CallEnvironment } from './prepare-call.ts';

const CANCELED = { action: 'cancel' } as const;

/** What the person decided, as the server is told it. What cannot be sent is not. */
function answerOf(form: ServerForm, decision: ApprovalDecision): FormAnswer {
  if (!decision.approved) return decision.closed ? CANCELED : { action: 'decline' };
  if (form.address !== undefined) return { action: 'accept' };
  const content = decision.answers && contentOf(form, decision.answers);
  return content ? { action: 'accept', content } : CANCELED;
}

/**
 * Asks the person by a form of a server while a call to it runs, whose time limit rests meanwhile. Nothing is sent without their decision,
 * nor where the call was stopped, its tool switched off or “Local only” switched on until then.
 */
export function formAsker(environment: CallEnvironment, call: Call, signal: AbortSignal, renew: Renew): AskForm {
  let open = 0;
  return async (form, withdrawn) => {
    const link = linkSignals([signal, withdrawn]);
    open += 1;
    renew('pause');
    try {
      const asked = { kind: 'form', tool: call.name, args: call.args, form } as const;
      const decision = await requestApproval(environment, { ...call.context, signal: link.signal }, asked);
      environment.requireEnabled(call.name, call.options);
      return environment.localOnly() ? CANCELED : answerOf(form, decision);
    } catch {
      return CANCELED;
    } finally {
      open -= 1;
      if (open === 0) renew();
      link.release();
    }
  };
}
