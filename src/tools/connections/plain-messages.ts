import { inBackground } from '../util/notify.ts';
import { fieldOf, isRecord, whyNotPlain } from '../util/plain-value.ts';

interface ErrorMessage {
  readonly jsonrpc: '2.0';
  readonly id: string | number;
  readonly error: { readonly code: number; readonly message: string };
}

interface Connection {
  send(message: ErrorMessage): Promise<void>;
}

const BAD_REQUEST = -32_602;
const BAD_ANSWER = -32_603;

/** The error in place of a message; null if it asks nothing and answers nothing. */
function errorFor(message: unknown, code: number, reason: string): ErrorMessage | null {
  const id = fieldOf(message, 'id');
  if (typeof id !== 'string' && typeof id !== 'number') return null;
  const text = `the values of the message cannot be used: ${reason}; send fewer levels and fewer values`;
  return { jsonrpc: '2.0', id, error: { code, message: text } };
}

/** An answer without the items of its lists that cannot be used: one odd tool must not lose the others. */
function withoutOdd(message: unknown): unknown {
  const result = fieldOf(message, 'result');
  if (!isRecord(message) || !isRecord(result) || whyNotPlain(message) === undefined) return message;
  const parts = Object.entries(result).map(([name, value]) => [
    name,
    Array.isArray(value) ? value.filter((item) => whyNotPlain(item) === undefined) : value,
  ]);
  return { ...message, result: Object.fromEntries(parts) };
}

/** Answers requests that are nested too deep or contain too many values with the reason; such answers become errors. */
export function takePlainMessages<C extends Connection>(connection: C): C {
  const guarded = (take: unknown): unknown =>
    typeof take !== 'function'
      ? take
      : (message: unknown, ...rest: readonly unknown[]): void => {
          const isRequest = typeof fieldOf(message, 'method') === 'string';
          const usable = isRequest ? message : withoutOdd(message);
          const reason = whyNotPlain(usable);
          const error = reason === undefined ? null : errorFor(message, isRequest ? BAD_REQUEST : BAD_ANSWER, reason);
          if (reason === undefined) Reflect.apply(take, connection, [usable, ...rest]);
          else if (error && isRequest) inBackground(connection.send(error));
          else if (error) Reflect.apply(take, connection, [error, ...rest]);
        };
  let current = guarded(Reflect.get(connection, 'onmessage'));
  Object.defineProperty(connection, 'onmessage', {
    configurable: true,
    enumerable: true,
    get: () => current,
    set: (take: unknown) => {
      current = guarded(take);
    },
  });
  return connection;
}

export function overPlainMessages<C extends Connection, S extends { connect(connection: C): Promise<void> }>(server: S): S {
  const connect = server.connect.bind(server);
  server.connect = (connection) => connect(takePlainMessages(connection));
  return server;
}
