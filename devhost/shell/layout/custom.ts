import { app } from '../core/state.ts';
import type { CustomModel, ModelCallbacks } from '../core/types.ts';

/** Makes the `Custom` (desktop) or `MobileCustom` that a plugin's `init` gets, and runs `init` at once, as SiYuan does. */
export function createCustom(options: ModelCallbacks & { type: string; data: unknown; element: HTMLElement; tab: unknown }): CustomModel {
  const model: CustomModel = {
    app,
    element: options.element,
    type: options.type,
    data: options.data,
    tab: options.tab,
    parent: options.tab,
    editors: [],
    init: options.init,
    beforeDestroy: options.beforeDestroy,
    destroy: options.destroy,
    resize: options.resize,
    update: options.update,
  };
  model.init(model);
  return model;
}

/** A plugin's callback that throws must not take the shell along. */
export function callSafely(what: string, run: () => unknown): void {
  try {
    run();
  } catch (error) {
    console.error(`${what} error:`, error);
  }
}
