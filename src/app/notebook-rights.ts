import type { NotebookRight } from '../tools/contract/notebook-right.ts';
import { notebookRightName } from '../ui/labels/rights-labels.ts';
import type { Translate } from '../ui/ports/i18n.ts';
import type { SettingsPort } from '../ui/ports/settings-port.ts';
import { escapeHtml } from './escape-html.ts';
import type { PanelHost } from './panel-host.ts';

/** From the notebook's own menu, where nothing else would show that it worked. */
export async function setRightAloud(
  host: PanelHost,
  settings: SettingsPort,
  t: Translate,
  notebook: string,
  right: NotebookRight,
): Promise<void> {
  await settings.setRight(notebook, right);
  const { name = '', encrypted } = (await settings.notebooks()).find((each) => each.id === notebook) ?? {};
  host.siyuan.showMessage(escapeHtml(t('rights.now', { notebook: name, right: notebookRightName({ right, encrypted }, t) })));
}
