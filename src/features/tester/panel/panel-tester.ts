import { openDialog } from '../../../app/host-dialog.ts';
import type { PanelHost } from '../../../app/panel-host.ts';
import { ToolError } from '../../../tools/contract/errors.ts';
import type { Translate } from '../../../ui/ports/i18n.ts';
import { TESTER_TAB } from '../tester-tab.ts';
import { type MountedTester, openTester, type TesterProps } from '../view/mount-tester.ts';

interface PanelTesterDeps {
  readonly host: PanelHost;
  readonly t: Translate;
  readonly parts: () => Promise<TesterProps>;
  readonly signal: AbortSignal;
}

/** The tool tester of this window. */
export function panelTester({ host, t, parts, signal }: PanelTesterDeps) {
  const title = t('tester.name');
  const mounted = new Set<MountedTester>();
  let wanted: string | undefined;
  /** Draws it. Rejects with ToolError. */
  const mount = async (element: HTMLElement): Promise<{ unmount(): void }> => {
    const given = await parts();
    if (signal.aborted) throw new ToolError('aborted', 'Marginalia was closed', 'open it again');
    const tester = openTester(element, given);
    mounted.add(tester);
    if (wanted !== undefined) tester.show(wanted);
    wanted = undefined;
    return {
      unmount() {
        if (mounted.delete(tester)) tester.destroy();
      },
    };
  };
  const openOnPhone = async (): Promise<void> => {
    const closed = new AbortController();
    const dialog = openDialog(host.siyuan, {
      title,
      close: t('action.close'),
      content: '<div class="mg-tester-dialog" style="height: 100%"></div>',
      width: '100vw',
      height: '100%',
      destroyCallback: () => closed.abort(),
    });
    signal.addEventListener('abort', () => dialog.destroy(), { signal: closed.signal });
    const element = dialog.element.querySelector<HTMLElement>('.mg-tester-dialog');
    if (!element) return;
    const drawn = await mount(element).catch((error: unknown) => {
      dialog.destroy();
      throw error;
    });
    if (closed.signal.aborted) drawn.unmount();
    else closed.signal.addEventListener('abort', () => drawn.unmount());
  };
  /** Brings it to the front, at a tool where one is given: a tab, or a dialog on phones, where there are no tabs. */
  const open = async (tool?: string): Promise<void> => {
    const shown = [...mounted].at(-1);
    wanted = shown ? undefined : tool;
    if (tool !== undefined) shown?.show(tool);
    if (host.siyuan.getFrontend().endsWith('mobile')) return shown ? undefined : openOnPhone();
    // The data are those that the host keeps with the layout, so that a tab of an earlier start is found again.
    const custom = { id: host.plugin.name + TESTER_TAB, title, icon: 'iconMarginaliaTools', data: {} };
    await host.siyuan.openTab({ app: host.plugin.app, custom });
  };
  return { mount, open };
}
