import { escapeHtml } from '../../../app/escape-html.ts';
import { openDialog } from '../../../app/host-dialog.ts';
import type { PanelHost } from '../../../app/panel-host.ts';
import { ToolError, toToolError } from '../../../tools/contract/errors.ts';
import type { MountedTester } from '../view/mount-tester.ts';
import type { TesterDeps } from './open-tester.ts';

interface LazyTesterDeps {
  readonly host: PanelHost;
  /** The title of its tab or dialog. */
  readonly title: string;
  /** What closes the dialog is called this. */
  readonly close: string;
  /** The tab's type, as the start script registered it. */
  readonly type: string;
  /** Loaded for the first. Rejects with `not_loaded`. */
  readonly load: () => Promise<typeof import('./open-tester.ts')>;
  readonly parts: () => Promise<TesterDeps>;
  readonly signal: AbortSignal;
}

export interface LazyTester {
  /** Brings the tester to the front, at a tool where one is given: a tab, or a dialog on phones, where there are no tabs. */
  open(tool?: string): Promise<void>;
  /** The same for callers that cannot await it: the host shows a failure. */
  tryTool(tool?: string): void;
  /** Draws it. Rejects with ToolError. */
  mount(element: HTMLElement): Promise<{ unmount(): void }>;
}

/** The tool tester of this window. */
export function lazyTester({ host, title, close, type, load, parts, signal }: LazyTesterDeps): LazyTester {
  const mounted = new Set<MountedTester>();
  /** For the tester that is being opened. */
  let wanted: string | undefined;
  const mount: LazyTester['mount'] = async (element) => {
    const [{ openTester }, given] = await Promise.all([load(), parts()]);
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
    let drawn: { unmount(): void } | undefined;
    const onAbort = (): void => dialog.destroy();
    const dialog = openDialog(host.siyuan, {
      title,
      close,
      content: '<div class="mg-tester-dialog"></div>',
      width: '100vw',
      height: '100%',
      destroyCallback() {
        signal.removeEventListener('abort', onAbort);
        drawn?.unmount();
      },
    });
    signal.addEventListener('abort', onAbort, { once: true });
    const element = dialog.element.querySelector<HTMLElement>('.mg-tester-dialog');
    if (!element) return;
    element.style.height = '100%';
    const made = await mount(element).catch((error: unknown) => {
      dialog.destroy();
      throw error;
    });
    // It may have been closed while it was loaded.
    if (element.isConnected) drawn = made;
    else made.unmount();
  };
  const open: LazyTester['open'] = async (tool) => {
    const shown = [...mounted].at(-1);
    wanted = shown ? undefined : tool;
    if (tool !== undefined) shown?.show(tool);
    if (host.siyuan.getFrontend().endsWith('mobile')) return shown ? undefined : openOnPhone();
    // The data are those that the host keeps with the layout, so that a tab of an earlier start is found again.
    const custom = { id: host.plugin.name + type, title, icon: 'iconMarginaliaTools', data: {} };
    await host.siyuan.openTab({ app: host.plugin.app, custom });
  };
  const say = (error: unknown): void => {
    const { message, next } = toToolError(error);
    host.siyuan.showMessage(escapeHtml(`${message}: ${next}`), 6000, 'error');
  };
  return { mount, open, tryTool: (tool) => void open(tool).catch(say) };
}
