import { Controller } from './chat-controller.ts';
import type { ChatControllerDeps, OwnedChatController } from './controller-deps.ts';

/** Opens the last chat, after what a crash left behind was put back. Never rejects: what fails is a notice. */
export async function createChatController(deps: ChatControllerDeps): Promise<OwnedChatController> {
  const controller = new Controller(deps);
  await controller.start();
  return controller;
}

export type { ChatControllerDeps, ChatModel, OwnedChatController } from './controller-deps.ts';
