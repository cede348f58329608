import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';

const path = '/changes';

/** What a page does to hear of changes. */
export const reloadScript = `<script>new EventSource('${path}').onmessage = () => location.reload();</script>`;

/** Tells open pages to load themselves again. */
export class Reload {
  private readonly pages = new Set<() => void>();

  readonly app = new Hono().get(path, (context) =>
    streamSSE(context, async (stream) => {
      const left = new Promise<void>((resolve) => stream.onAbort(resolve));
      const tell = () => void stream.writeSSE({ data: 'changed' });
      this.pages.add(tell);
      await left;
      this.pages.delete(tell);
    })
  );

  now(): void {
    this.pages.forEach((tell) => tell());
  }
}
