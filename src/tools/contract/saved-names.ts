// Names in storage by which one layer finds what another has saved (docs/formats.md).

/** How the ids of chats begin that nobody asked a question in: calls of a program, and runs of an order. */
export const CHAT_OF_PROGRAM = 'mcp-';
export const CHAT_OF_ORDER = 'order-';

/** On a document: what is set for the chats of a project. */
export const PROJECT_ATTRIBUTE = 'custom-marginalia-project';
/** The same on one that is no project any more, so that it can be made one again. */
export const LEFT_PROJECT_ATTRIBUTE = `${PROJECT_ATTRIBUTE}-left`;

export const ORDERS_WISHES = 'orders/wishes.json';
