export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 426 | 500 | 502 | 503;

/** A request that is refused, with the HTTP status and what to do next. What it says goes to the client: no token is ever in it. */
export class ServiceError extends Error {
  readonly status: ErrorStatus;
  readonly code: string;
  readonly next: string;

  constructor(status: ErrorStatus, code: string, message: string, next: string) {
    super(message);
    this.name = 'ServiceError';
    this.status = status;
    this.code = code;
    this.next = next;
  }
}

/** The service cannot start as it was asked to: the message says what to write instead. */
export class UsageError extends Error {}
