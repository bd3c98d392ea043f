// A file of its own in the built plugin, loaded when the tool tester is opened.
import { ToolTester, type ToolTesterDeps } from '../tool-tester.ts';
import { type MountedTester, mountTester, type TesterProps } from '../view/mount-tester.ts';

export type TesterDeps = Omit<TesterProps, 'tester'> & { readonly deps: ToolTesterDeps };

/** A tester with calls, variables and consent of its own, in an element that has a height. */
export function openTester(element: HTMLElement, { deps, ...props }: TesterDeps): MountedTester {
  const tester = new ToolTester(deps);
  const mounted = mountTester(element, { ...props, tester });
  return {
    show: mounted.show,
    destroy() {
      mounted.destroy();
      tester.dispose();
    },
  };
}
