import type { ContextChoice } from '../ports/context-choice.ts';
import type { PanelContext } from '../state/context.ts';

/** Reads what was chosen and attaches it to the next question. Rejects with ToolError. */
export async function addChoice(
  choice: ContextChoice,
  { controller, host }: Pick<PanelContext, 'controller' | 'host'>,
  mention = '',
): Promise<void> {
  const to = controller.composer();
  const read = await host.readContext(choice);
  to.addContext(mention === '' ? read : { ...read, mention });
}
