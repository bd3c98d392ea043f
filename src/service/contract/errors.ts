export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 409 | 410 | 413 | 426 | 500 | 502 | 503;

/** A refused request, with the HTTP status and the next step. Its message is sent to the client: it never contains a token. */
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

/** The service cannot start with these options: the message says what to write instead. */
export class UsageError extends Error {}
