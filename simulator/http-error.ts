import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** An answer with a status and JSON `{"message": …}`, as the service gives it. */
export class HttpError extends Error {
  constructor(
    readonly status: ContentfulStatusCode,
    message: string
  ) {
    super(message);
  }
}
