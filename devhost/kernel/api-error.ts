/** A failure that the client sees as `{code, msg, data}` with HTTP 200, as SiYuan answers failures. */
export class ApiError extends Error {
  readonly code: number;
  readonly data: unknown;

  constructor(code: number, message: string, data: unknown = null) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.data = data;
  }
}
